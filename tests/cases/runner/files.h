#pragma once
// A case's files: $ROOT and the fixtures in it.

#include <filesystem>
#include <list>
#include <string>

#include "messages/unique_fd.h"
#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

// An empty directory with a short, canonical path; removed with all that is in it.
class Root {
 public:
  Root();
  ~Root();
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path operator/(const std::string& relative) const { return path_ / relative; }

 private:
  std::filesystem::path path_;
};

// Listening sockets of the file system or the abstract name space. Nobody answers; connections are
// counted when asked for.
class ListeningSockets {
 public:
  void listen_at(const std::filesystem::path& path);
  void listen_abstract(const std::string& name);
  std::size_t connections();

 private:
  std::list<UniqueFd> sockets_;
  std::list<UniqueFd> accepted_;
};

// Makes the file, directory, link or the like that `entry` describes. False when it describes
// something else. Throws Unknown for a field that is not known.
bool make_file(const Json& entry, const Root& root, ListeningSockets& sockets);

std::string read_file(const std::filesystem::path& file);  // throws std::runtime_error
std::string bytes_of_hex(const std::string& hex);

}  // namespace cordon::cases

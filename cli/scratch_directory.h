#pragma once
// A directory for files that must not outlive the command, not even when a signal ends it.

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <filesystem>
#include <string>
#include <thread>

namespace cordon {

// As long as there is one, SIGINT, SIGTERM and SIGHUP remove the directory before they end the
// process as they always do. One that is ignored stays so.
class ScratchDirectory {
 public:
  // Within the system's directory for temporary files, with `name` in its own. Throws
  // std::system_error.
  explicit ScratchDirectory(const std::string& name);
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }  // canonical

 private:
  void remove() const;

  boost::asio::io_context io_;
  boost::asio::signal_set signals_;
  std::filesystem::path path_;
  std::thread thread_;
};

}  // namespace cordon

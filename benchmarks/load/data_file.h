#pragma once
// A file of ASCII text that is there as long as this object.

#include <cstddef>
#include <filesystem>

namespace cordon::load {

class DataFile {
 public:
  // In `directory`, or where the system has temporary files if that is empty. Throws
  // std::system_error.
  DataFile(std::size_t bytes, const std::filesystem::path& directory);
  ~DataFile();
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;  // canonical
};

}  // namespace cordon::load

#include "benchmarks/load/data_file.h"

#include <stdlib.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "messages/unique_fd.h"

namespace cordon::load {

DataFile::DataFile(std::size_t bytes, const std::filesystem::path& wanted) {
  const auto directory =
      std::filesystem::canonical(wanted.empty() ? std::filesystem::temp_directory_path() : wanted);
  std::string name = (directory / "cordon-bench-XXXXXX").string();
  const UniqueFd created(::mkstemp(name.data()));
  if (!created) throw std::system_error(errno, std::generic_category(), directory.string());
  path_ = name;

  constexpr std::string_view kLine = "fifteen letters\n";
  std::string text;
  while (text.size() < bytes) text += kLine;
  text.resize(bytes);
  std::ofstream file(path_, std::ios::binary);
  file << text << std::flush;
  if (!file) {
    const int error = errno;
    std::filesystem::remove(path_);
    throw std::system_error(error, std::generic_category(), path_.string());
  }
}

DataFile::~DataFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace cordon::load

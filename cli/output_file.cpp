#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "messages/write_all.h"

namespace cordon {
namespace {

UsageError system_error(const std::string& name, int code) {
  return {name, ": ", std::generic_category().message(code)};
}

}  // namespace

Result<OutputFile, UsageError> OutputFile::open(const std::string& flag, const std::string& path) {
  std::string name = flag + " " + path;
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666));
  if (!file) return system_error(name, errno);
  return OutputFile(std::move(name), std::move(file));
}

std::optional<UsageError> OutputFile::write(std::string_view text) {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) return system_error(name_, errno);
  if (S_ISREG(status.st_mode) && ::ftruncate(file_.get(), 0) != 0) {
    return system_error(name_, errno);
  }
  if (const int error = write_all(file_.get(), text)) return system_error(name_, error);
  return std::nullopt;
}

}  // namespace cordon

#include "actors/engine_directory.h"

#include <cstdlib>
#include <system_error>

namespace cordon {

std::filesystem::path engine_directory(const RuntimeOptions& options) {
  if (options.engine_directory) return *options.engine_directory;
  if (const char* const named = ::secure_getenv("CORDON_LIBEXEC");
      named != nullptr && *named != '\0') {
    return named;
  }
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : self.parent_path();
}

}  // namespace cordon

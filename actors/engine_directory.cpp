#include "actors/engine_directory.h"

#include <cstdlib>

#include "actors/process/engine_directory.h"

namespace cordon {

std::filesystem::path engine_directory(const RuntimeOptions& options) {
  if (options.engine_directory) return *options.engine_directory;
  if (const char* const named = ::secure_getenv("CORDON_LIBEXEC");
      named != nullptr && *named != '\0') {
    return named;
  }
  return default_engine_directory();
}

}  // namespace cordon

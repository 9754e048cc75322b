#include "actors/process/start_failure.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace cordon {

StartFailure system_failure(std::string mechanism, const std::string& what, int error,
                            std::string remedy) {
  const bool wants_files = error == EMFILE || error == ENFILE || error == ETOOMANYREFS;
  return {std::move(mechanism),
          what + ": " + std::error_code(error, std::generic_category()).message(),
          wants_files ? "raise the limit of open files" : std::move(remedy)};
}

}  // namespace cordon

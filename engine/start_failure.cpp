#include "engine/start_failure.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace cordon::engine {

StartFailure system_failure(std::string mechanism, const std::string& what, std::string remedy) {
  const std::error_code code(errno, std::generic_category());
  return {std::move(mechanism), what + ": " + code.message(), std::move(remedy)};
}

}  // namespace cordon::engine

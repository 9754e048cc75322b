#include "capabilities/refusal.h"

#include <string>

namespace cordon {

Refusal byte_limit_refusal(std::string_view what, std::uint64_t limit, std::string_view option) {
  const std::string excess = "exceeds " + std::to_string(limit) + " bytes";
  return {.capability = "resource.bytes",
          .message = std::string(what) + " " + excess + " (" + std::string(option) + ")",
          .reason = excess};
}

}  // namespace cordon

#pragma once
// A command line that cannot be used as it is: printed to stderr, exit code 2.

#include <initializer_list>
#include <string>
#include <string_view>

namespace cordon {

struct UsageError {
  UsageError() = default;
  // Joins the parts. (A constructor from one string would make Result<std::string, UsageError>
  // ambiguous.)
  UsageError(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) message += part;
  }

  std::string message;  // names the flag and says what would be accepted; never a secret's value
};

}  // namespace cordon

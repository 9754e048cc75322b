#pragma once
// spawn(): the decision about a command, before anything is started. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "capabilities/authority.h"
#include "capabilities/operation.h"

namespace cordon {

struct CheckedCommand {
  GrantedCommand command;
  std::vector<std::string> arguments;  // without argv[0]; no NUL
};

// `executable` must be a granted string, byte for byte.
Result<CheckedCommand, Refusal> decide_subprocess(const Authority& authority,
                                                  std::string_view executable,
                                                  const std::vector<std::string>& arguments);

}  // namespace cordon

#pragma once
// argv, cut where the parser must not look: the program's arguments follow the first `--`.

#include <span>
#include <string>
#include <vector>

#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

struct CommandLine {
  std::vector<std::string> command;    // before `--`, without the executable's name
  std::vector<std::string> arguments;  // after it, as they are
};

// `argv` includes the executable's name. A flag with nothing after its `=` is refused here: the
// parser would take the next word as its value.
Result<CommandLine, UsageError> split_command_line(std::span<const char* const> argv);

}  // namespace cordon

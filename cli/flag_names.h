#pragma once
// Which flag of `cordon run` sets which option, so that every error can name the flag to change.

#include <cordon/options.h>
#include <cordon/outcome.h>

#include <string>
#include <string_view>

#include "cli/usage_error.h"

namespace cordon {

// The flag for an option's path as in JSON policy ("resources.maxOperations",
// "filesystem.read[1]"); empty when no flag sets it.
std::string_view flag_of_option(std::string_view field);

// The error, after the flag that sets its option.
UsageError usage_error(const InvalidOption& error);

// The flag or flags that would change a refusal, separated by " or "; empty when there is none.
std::string flags_of_denial(const OutcomeDenial& denial);

}  // namespace cordon

#pragma once
// The flags that say what the program may do, and the options they add up to. What nobody grants is
// denied. Values are checked where options become an Authority; here only what the command line
// adds is: lists, paths relative to the working directory, values taken from elsewhere.

#include <cordon/options.h>
#include <CLI/CLI.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/secret_source.h"
#include "cli/text_file.h"
#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// Registers its flags with a command, which writes into this object while it parses.
class GrantFlags {
 public:
  explicit GrantFlags(CLI::App& command);
  GrantFlags(const GrantFlags&) = delete;
  GrantFlags& operator=(const GrantFlags&) = delete;

  // `base` and what the flags grant besides: they add to its lists and replace its values. Reads
  // the files and variables that they name.
  Result<AISandboxOptions, UsageError> options(const Surroundings& surroundings,
                                               AISandboxOptions base) const;

 private:
  using Texts = std::vector<std::string>;  // one per use of the flag, as typed

  Result<std::map<std::string, std::string>, UsageError> environment(
      const Surroundings& surroundings) const;
  Result<std::map<std::string, std::string>, UsageError> secrets(
      const Surroundings& surroundings) const;
  Result<std::map<std::string, std::string>, UsageError> modules(const Surroundings& surroundings,
                                                                 TextLimit limit) const;

  Texts allow_read_, allow_write_, allow_net_, allow_methods_, allow_run_, allow_env_;
  Texts secrets_, modules_;
  std::optional<bool> allow_private_addresses_, experimental_decorators_;  // none: not given
};

}  // namespace cordon

#pragma once
// The file of --policy: what a program may do, as JSON (capabilities/policy_json.h). It must be
// right by itself, so that an error is either the file's or the flags'.

#include <cordon/options.h>

#include <string>
#include <vector>

#include "cli/secret_source.h"
#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

struct PolicyFile {
  AISandboxOptions options;  // valid
  // Secrets that a printed policy names without their values. They are not in `options`: somebody
  // else has to give them.
  std::vector<std::string> masked_secrets;
};

// Every error names the file, and the field where it is about one.
Result<PolicyFile, UsageError> read_policy_file(const std::string& file,
                                                const Surroundings& surroundings);

// The error for a masked secret of that file that nobody gave.
UsageError masked_secret_error(const std::string& file, const std::string& name);

}  // namespace cordon

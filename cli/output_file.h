#pragma once
// A file that a command writes at its end. Opened at its start, so that nobody learns after an hour
// that it cannot be written; what it held is there until then.

#include <optional>
#include <string>
#include <string_view>

#include "cli/usage_error.h"
#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

class OutputFile {
 public:
  // `flag` names it in errors.
  static Result<OutputFile, UsageError> open(const std::string& flag, const std::string& path);

  // Replaces what the file held. Nothing: it is written.
  std::optional<UsageError> write(std::string_view text);

 private:
  OutputFile(std::string name, UniqueFd file) : name_(std::move(name)), file_(std::move(file)) {}

  std::string name_;  // with its flag
  UniqueFd file_;
};

}  // namespace cordon

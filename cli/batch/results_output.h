#pragma once
// Where results go: appended to a file, or a stream. Each result is written whole, right when it is
// there, so that a killed run has lost none that it reported.

#include <functional>
#include <string>
#include <string_view>

#include "cli/batch/result.h"
#include "cli/usage_error.h"
#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon::batch {

class ResultsOutput {
 public:
  static ResultsOutput standard_output();
  // Made if it is not there. With results in it, it is refused unless `resume`.
  static Result<ResultsOutput, UsageError> open(const std::string& path, bool resume);

  // Hands out what an earlier run has written, and cuts off a last line that is not whole. An error
  // when the file holds anything else than results.
  Result<bool, UsageError> read_past(const std::function<void(PastResult)>& each);

  // Blocks while the reader of a pipe does not read. The error says why it failed.
  Result<bool, UsageError> write(std::string_view lines);

 private:
  ResultsOutput(UniqueFd file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}
  UsageError failure(int code) const;

  UniqueFd file_;
  std::string name_;
};

}  // namespace cordon::batch

#pragma once
// The answer to one line of input.

#include <cordon/outcome.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/batch/job.h"
#include "cli/batch/verdict.h"
#include "messages/result.h"

namespace cordon::batch {

struct JobResult {
  JobIdentity identity;
  Verdict verdict = Verdict::kSandboxError;
  Outcome outcome;            // empty for a line that is no job, but for its error
  double waited_ms = 0;       // from reading the line to starting its run
  std::uint64_t attempt = 0;  // how many runs it took; 0 when nothing was run
};

// One JSON object on one line, with its line break.
std::string result_line(const JobResult& result);

// What is needed of a result that was written earlier.
struct PastResult {
  std::uint64_t line = 0;
  std::string id_json;
  std::optional<std::string> task;
  Verdict verdict = Verdict::kSandboxError;
  double wall_ms = 0;
  std::string error_name;
  std::string error_message;
  std::string console;
};
struct NoResult {};
Result<PastResult, NoResult> read_result_line(std::string_view line);

// The same of one that was just made.
PastResult summarised(const JobResult& result);

}  // namespace cordon::batch

#pragma once
// From lines to the jobs that are to be run: gives ids, refuses duplicates, leaves out what another
// shard runs and what an earlier run has finished.

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "cli/batch/id_set.h"
#include "cli/batch/job.h"
#include "cli/batch/line_reader.h"
#include "cli/batch/result.h"

namespace cordon::batch {

struct Shard {
  std::uint64_t index = 1;  // 1-based
  std::uint64_t count = 1;
};

class JobFeed {
 public:
  JobFeed(const JobGrants& grants, Shard shard) : grants_(grants), shard_(shard) {}

  // An earlier run has answered this. Before the first line.
  void finished(const PastResult& past);

  // The line's job, or its error. Nothing when the line is not ours, or was answered before. Lines
  // in order.
  using Work = std::variant<std::monostate, Job, InvalidJob>;
  Work take(const Line& line);

 private:
  void name(JobIdentity& identity);

  const JobGrants& grants_;
  const Shard shard_;
  IdSet seen_;
  IdSet finished_;
  std::unordered_set<std::uint64_t> finished_lines_;            // of lines that were no jobs
  std::unordered_map<std::string, std::uint64_t> completions_;  // by task
};

}  // namespace cordon::batch

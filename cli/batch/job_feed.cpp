#include "cli/batch/job_feed.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace cordon::batch {

void JobFeed::finished(const PastResult& past) {
  if (past.verdict == Verdict::kInvalidJob) {
    finished_lines_.insert(past.line);
  } else {
    finished_.insert(past.id_json);
  }
}

// Without an id: the task's for its first completion, then "task#2" and so on, else the line.
void JobFeed::name(JobIdentity& identity) {
  const std::uint64_t completion = identity.task ? ++completions_[*identity.task] : 0;
  if (identity.id_json != "null") return;
  if (!identity.task) {
    identity.id_json = std::to_string(identity.line);
    return;
  }
  std::string id = *identity.task;
  if (completion > 1) id += "#" + std::to_string(completion);
  identity.id_json = nlohmann::json(id).dump();
}

JobFeed::Work JobFeed::take(const Line& line) {
  auto work = read_job(line, grants_);
  const bool is_job = std::holds_alternative<Job>(work);
  JobIdentity& identity =
      is_job ? std::get<Job>(work).identity : std::get<InvalidJob>(work).identity;
  const bool has_id = is_job || identity.task || identity.id_json != "null";
  if (has_id) name(identity);
  const bool repeated = has_id && !seen_.insert(identity.id_json);

  const bool ours = line.number % shard_.count == shard_.index % shard_.count;
  if (!ours || finished_lines_.contains(line.number)) return {};
  if (repeated) return InvalidJob{std::move(identity), "id: an earlier line has the same"};
  if (!is_job) return std::get<InvalidJob>(std::move(work));
  if (finished_.contains(identity.id_json)) return {};
  return std::get<Job>(std::move(work));
}

}  // namespace cordon::batch

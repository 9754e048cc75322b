#include "cli/batch/job_feed.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::batch;

namespace {

const JobGrants& grants() {
  static const JobGrants all{AISandboxOptions{}};
  return all;
}

// The ids of the jobs, "!" before those of lines that are none.
std::vector<std::string> fed(JobFeed& feed, const std::vector<std::string>& lines) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line line{.number = i + 1, .text = lines[i], .bytes = 1, .too_long = false};
    const JobFeed::Work work = feed.take(line);
    if (const auto* job = std::get_if<Job>(&work)) ids.push_back(job->identity.id_json);
    if (const auto* bad = std::get_if<InvalidJob>(&work))
      ids.push_back("!" + bad->identity.id_json);
  }
  return ids;
}

using Ids = std::vector<std::string>;
const std::vector<std::string> kLines = {R"({"code":""})",
                                         R"({"id":"a","code":""})",
                                         "no job",
                                         R"({"task_id":"t","code":""})",
                                         R"({"id":"a"})",
                                         R"({"id":"a","code":""})",
                                         R"({"task_id":"t","code":""})",
                                         R"({"id":1,"code":""})"};

}  // namespace

TEST_CASE("ids: given, the task's, or the line's, no two alike") {
  JobFeed feed(grants(), {});
  CHECK(fed(feed, kLines) ==
        Ids{"1", "\"a\"", "!null", "\"t\"", "!\"a\"", "!\"a\"", "\"t#2\"", "!1"});
}

TEST_CASE("shards share the lines without rest, and agree on ids") {
  Ids all;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    JobFeed feed(grants(), {i, 3});
    for (std::string& id : fed(feed, kLines)) all.push_back(std::move(id));
  }
  std::sort(all.begin(), all.end());
  JobFeed whole(grants(), {});
  Ids expected = fed(whole, kLines);
  std::sort(expected.begin(), expected.end());
  CHECK(all == expected);
}

TEST_CASE("what was answered is not answered again") {
  JobFeed feed(grants(), {});
  const auto past = [&](std::uint64_t line, const std::string& id, Verdict verdict) {
    PastResult result;
    result.line = line;
    result.id_json = id;
    result.verdict = verdict;
    feed.finished(result);
  };
  past(2, "\"a\"", Verdict::kPassed);
  past(3, "null", Verdict::kInvalidJob);
  past(6, "\"a\"", Verdict::kInvalidJob);
  CHECK(fed(feed, kLines) == Ids{"1", "\"t\"", "!\"a\"", "\"t#2\"", "!1"});
}

#include "cli/batch/result.h"

#include <nlohmann/json.hpp>

#include "cli/report.h"
#include "messages/build_id.h"

namespace cordon::batch {
namespace {

using json = nlohmann::ordered_json;

// Of a text that is kept for the report.
constexpr std::size_t kKeptBytes = 2048;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json usage_members(const JobResult& result) {
  const Usage& usage = result.outcome.usage;
  return {{"queueMs", result.waited_ms + usage.queue_ms},
          {"wallMs", usage.wall_ms},
          {"cpuMs", usage.cpu_ms},
          {"peakMemoryBytes", usage.peak_memory_bytes},
          {"operations", usage.operations}};
}

std::string text_member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string result_line(const JobResult& result) {
  const JobIdentity& identity = result.identity;
  const Outcome& outcome = result.outcome;
  std::string out = "{\"id\":" + identity.id_json + ",\"line\":" + std::to_string(identity.line);
  const auto add = [&out](const char* name, const std::string& value) {
    out.append(",\"").append(name).append("\":").append(value);
  };
  if (identity.task) add("task_id", dump(*identity.task));
  add("verdict", dump(std::string(to_string(result.verdict))));
  if (outcome.result) add("value", outcome.result->json());
  if (outcome.error) add("error", dump(error_members(*outcome.error)));
  if (outcome.denial) add("denial", dump(denial_members(*outcome.denial)));
  if (outcome.signal) add("signal", std::to_string(*outcome.signal));
  if (result.verdict != Verdict::kInvalidJob) {
    add("console", dump(outcome.console));
    add("consoleTruncated", outcome.console_truncated ? "true" : "false");
    add("usage", dump(usage_members(result)));
  }
  add("attempt", std::to_string(result.attempt));
  static const std::string versions = dump({{"cordon", kBuildId}});
  add("versions", versions);
  return out + "}\n";
}

Result<PastResult, NoResult> read_result_line(std::string_view line) {
  const json object = json::parse(line, nullptr, false);
  if (!object.is_object()) return NoResult{};
  const auto number = object.find("line");
  const auto id = object.find("id");
  const auto verdict = verdict_of(text_member(object, "verdict"));
  if (!verdict || id == object.end() || number == object.end() || !number->is_number_unsigned()) {
    return NoResult{};
  }
  PastResult past;
  past.line = number->get<std::uint64_t>();
  past.id_json = id->dump();
  past.verdict = *verdict;
  if (object.contains("task_id")) past.task = text_member(object, "task_id");
  if (const auto error = object.find("error"); error != object.end() && error->is_object()) {
    past.error_name = text_member(*error, "name").substr(0, kKeptBytes);
    past.error_message = text_member(*error, "message").substr(0, kKeptBytes);
  }
  past.console = text_member(object, "console").substr(0, kKeptBytes);
  if (const auto usage = object.find("usage"); usage != object.end() && usage->is_object()) {
    const auto wall = usage->find("wallMs");
    if (wall != usage->end() && wall->is_number()) past.wall_ms = wall->get<double>();
  }
  return past;
}

PastResult summarised(const JobResult& result) {
  PastResult past;
  past.line = result.identity.line;
  past.id_json = result.identity.id_json;
  past.task = result.identity.task;
  past.verdict = result.verdict;
  past.wall_ms = result.outcome.usage.wall_ms;
  if (result.outcome.error) {
    past.error_name = result.outcome.error->name.substr(0, kKeptBytes);
    past.error_message = result.outcome.error->message.substr(0, kKeptBytes);
  }
  past.console = result.outcome.console.substr(0, kKeptBytes);
  return past;
}

}  // namespace cordon::batch

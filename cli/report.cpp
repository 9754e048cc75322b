#include "cli/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/flag_names.h"
#include "cli/terminal_text.h"

namespace cordon {
namespace {

// Text from the child is well-formed UTF-8 by contract; a stray byte must still not cost the
// report.
std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json subprocess_members(const SubprocessReport& report) {
  const auto members = [](const std::vector<SubprocessReport::Wall>& walls) {
    auto json = nlohmann::ordered_json::object();
    for (const auto& wall : walls) json[wall.name] = wall.mechanism;
    return json;
  };
  return {{"walls", members(report.walls)}, {"missing", members(report.missing)}};
}

nlohmann::ordered_json usage_members(const Usage& usage) {
  return {{"wallMs", usage.wall_ms},        {"queueMs", usage.queue_ms},
          {"cpuMs", usage.cpu_ms},          {"peakMemoryBytes", usage.peak_memory_bytes},
          {"operations", usage.operations}, {"bytesIn", usage.bytes_in},
          {"bytesOut", usage.bytes_out}};
}

// Follow-up lines are indented, so that hostile text cannot pose as a message of the command.
std::string indented(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

// A stack's places, one indented line each, without the name and message that it may begin with.
std::string stack_lines(const OutcomeError& error) {
  std::string_view stack = error.stack;
  const std::string title = error.name + ": " + error.message;
  if (stack.starts_with(title)) stack.remove_prefix(title.size());
  std::string lines;
  while (!stack.empty()) {
    std::string_view line = stack.substr(0, stack.find('\n'));
    stack.remove_prefix(std::min(line.size() + 1, stack.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.empty()) lines += "    " + printable_line(line) + "\n";
  }
  return lines;
}

std::string headline(const Outcome& outcome, std::string_view source_name) {
  const OutcomeError error = outcome.error.value_or(OutcomeError{});
  const std::string message = indented(error.message);
  switch (outcome.status) {
    case Status::kCompileError: {
      std::string position = printable_line(source_name);
      if (error.line > 0) position += ":" + std::to_string(error.line);
      if (error.line > 0 && error.column > 0) position += ":" + std::to_string(error.column);
      return position + ": " + message;
    }
    case Status::kError:
    case Status::kDenied:
      return "Uncaught " + printable_line(error.name) + ": " + message;
    default:
      return std::string("cordon: ") + to_string(outcome.status) + ": " + message;
  }
}

}  // namespace

Outcome failed_outcome(Status status, const char* name, const std::string& message) {
  Outcome outcome;
  outcome.status = status;
  outcome.error.emplace();
  outcome.error->name = name;
  outcome.error->message = message;
  return outcome;
}

nlohmann::ordered_json error_members(const OutcomeError& error) {
  nlohmann::ordered_json json = {{"name", error.name}, {"message", error.message}};
  if (!error.stack.empty()) json["stack"] = error.stack;
  if (error.line > 0) json["line"] = error.line;
  if (error.column > 0) json["column"] = error.column;
  if (error.in_tests) json["inTests"] = true;
  return json;
}

nlohmann::ordered_json denial_members(const OutcomeDenial& denial) {
  nlohmann::ordered_json json = {{"capability", denial.capability}, {"message", denial.message}};
  if (denial.target) json["target"] = *denial.target;
  return json;
}

std::string outcome_json(const Outcome& outcome, const std::vector<std::string>& audit_events) {
  std::string out = "{\"status\":" + dump(to_string(outcome.status));
  const auto add = [&out](const char* name, const std::string& json) {
    out += ",\"" + std::string(name) + "\":" + json;
  };
  // The value's text goes in as it is: parsing it would lose what JSON libraries lose.
  if (outcome.result) add("value", outcome.result->json());
  if (outcome.error) add("error", dump(error_members(*outcome.error)));
  if (outcome.denial) add("denial", dump(denial_members(*outcome.denial)));
  if (outcome.signal) add("signal", std::to_string(*outcome.signal));
  if (outcome.subprocess) add("subprocess", dump(subprocess_members(*outcome.subprocess)));
  add("console", dump(outcome.console));
  add("consoleTruncated", outcome.console_truncated ? "true" : "false");
  add("usage", dump(usage_members(outcome.usage)));
  std::string events;
  for (const std::string& event : audit_events) events += (events.empty() ? "" : ",") + event;
  add("audit", "[" + events + "]");
  add("sandbox", dump(outcome.sandbox));
  return out + "}";
}

std::string describe_failure(const Outcome& outcome, std::string_view source_name) {
  if (outcome.status == Status::kOk) return {};
  std::string text = headline(outcome, source_name) + "\n";
  if (outcome.error) text += stack_lines(*outcome.error);
  if (outcome.denial) {
    const std::string flags = flags_of_denial(*outcome.denial);
    // A command's own limits are options of the policy alone; their names are in the message.
    const std::string& message = outcome.denial->message;
    const bool commands_own = outcome.denial->capability.starts_with("resource.") &&
                              message.find("subprocess.") != std::string::npos;
    const bool said = commands_own || message.find(flags) != std::string::npos;
    if (!said) text += "cordon: to change this, see " + flags + "\n";
  }
  return text;
}

std::string console_line(std::string_view text) { return printable(text) + "\n"; }

}  // namespace cordon

#include "cli/audit_query.h"

#include <deque>
#include <limits>
#include <utility>

#include "cli/event_table.h"
#include "cli/exit_codes.h"
#include "cli/file_watch.h"
#include "cli/output.h"
#include "cli/units.h"

namespace cordon {
namespace {

constexpr std::uint64_t kShown = 20;

}  // namespace

AuditQuery::AuditQuery(CLI::App& audit, Kind kind)
    : kind_(kind),
      command_(kind == Kind::kShow
                   ? *audit.add_subcommand("show", "Print the newest events of a trail")
                   : *audit.add_subcommand("query", "Print the events that match")),
      events_(command_) {
  const bool show = kind == Kind::kShow;
  command_
      .add_option(show ? "--last" : "--limit", limit_,
                  show ? "How many events [20]" : "At most so many events, the oldest [all]")
      ->type_name("COUNT")
      ->group("Output");
  command_.add_flag("--follow", follow_, "Go on printing events as they are written")
      ->group("Output");
  command_.add_flag("--json", json_, "One JSON object a line, as in the trail")->group("Output");
}

bool AuditQuery::print(const SandboxAuditEvent& event) const {
  return json_ ? print_data(to_json(event)) : print_text(event_row(event));
}

int AuditQuery::execute() const {
  std::uint64_t limit = kind_ == Kind::kShow ? kShown : std::numeric_limits<std::uint64_t>::max();
  if (limit_) {
    const auto count = parse_count(*limit_);
    if (!count) {
      tell(kind_ == Kind::kShow ? "cordon: --last: " : "cordon: --limit: ", count.error().message);
      return kExitUsage;
    }
    limit = *count;
  }
  return kind_ == Kind::kShow ? print_last(limit) : print_all(limit);
}

int AuditQuery::print_all(std::uint64_t limit) const {
  FileWatch watch(events_.file());
  bool has_heading = json_;
  bool printed = true;
  // Not before: there may be no trail to read.
  const auto print_heading = [&] {
    if (!std::exchange(has_heading, true)) printed = print_text(event_heading());
    return printed;
  };
  const auto on_event = [&](const SandboxAuditEvent& event) {
    printed = print_heading() && print(event);
    return printed && --limit > 0;
  };
  const auto on_end = [&] { return print_heading() && follow_ && watch.wait(); };
  const int code = events_.for_each(on_event, on_end);
  return printed ? code : kExitError;
}

int AuditQuery::print_last(std::uint64_t limit) const {
  FileWatch watch(events_.file());
  std::deque<SandboxAuditEvent> newest;
  bool at_end = false;
  bool printed = true;
  const auto on_event = [&](const SandboxAuditEvent& event) {
    if (at_end) return printed = print(event);
    newest.push_back(event);
    if (newest.size() > limit) newest.pop_front();
    return true;
  };
  const auto on_end = [&] {
    at_end = true;
    if (!json_ && !newest.empty()) printed = print_text(event_heading());
    for (; printed && !newest.empty(); newest.pop_front()) printed = print(newest.front());
    return printed && follow_ && watch.wait();
  };
  const int code = events_.for_each(on_event, on_end);
  return printed ? code : kExitError;
}

}  // namespace cordon

#include "actors/outcome_message.h"

#include <algorithm>

#include "actors/compile/stack_trace.h"
#include "actors/wire_text.h"

namespace cordon {

namespace {

std::uint64_t micros(std::chrono::microseconds time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
}

// The engine appends two lines to a program that has tests; they run in an eval() on the second.
std::string tests_code_name(const OutcomeParts& parts) {
  if (!parts.tests || !parts.module) return {};
  const auto line = std::ranges::count(parts.module->code, '\n') + 2;
  return as_string(parts.call.read()->getSourceName()) + " line " + std::to_string(line) +
         " > eval";
}

std::string stack(const OutcomeParts& parts, const SourceMap* map) {
  const auto call = parts.call.read();
  const auto modules = call->getOptions().getModules();
  StackSources sources{call->getSourceName().cStr(), map,
                       [&](std::string_view file) {
                         for (const auto module : modules) {
                           if (file == module.getName().cStr()) return true;
                         }
                         return false;
                       },
                       tests_code_name(parts), parts.tests ? parts.tests->map.get() : nullptr};
  return render_stack(parts.end.name, parts.end.message, parts.end.stack, sources);
}

void write_error(wire::ErrorInfo::Builder out, const OutcomeParts& parts) {
  const CallEnd& end = parts.end;
  out.setName(as_kj(end.name));
  out.setMessage(as_kj(end.message));
  const SourceMap* const map = parts.module ? parts.module->map.get() : nullptr;
  if (!end.stack.empty()) {
    out.setStack(as_kj(stack(parts, map)));
  }
  SourcePosition position{end.line, end.column};
  if (end.generated_position && map != nullptr) {
    position = map->original(position).value_or(SourcePosition{});
  }
  out.setInTests(end.in_tests);
  out.setLine(position.line);
  out.setColumn(position.column);
}

void write_usage(wire::Usage::Builder out, const OutcomeParts& parts) {
  out.setWallUs(micros(parts.wall));
  out.setQueueUs(micros(parts.queued));
  if (!parts.closed.empty()) out.setOperations(parts.closed.read()->getOperations());
  if (!parts.exit) return;
  out.setCpuUs(micros(parts.exit->cpu));
  out.setPeakMemoryBytes(parts.exit->peak_memory_bytes);
  out.setBytesIn(parts.exit->bytes_in);
  out.setBytesOut(parts.exit->bytes_out);
}

}  // namespace

OutcomeMessage outcome_message(const OutcomeParts& parts) {
  const CallEnd& end = parts.end;
  const auto fill = [&](wire::Outcome::Builder out) {
    out.setStatus(end.status);
    if (end.status == wire::Status::OK) {
      const std::string& text = *parts.result;
      out.setValue(kj::arrayPtr(reinterpret_cast<const kj::byte*>(text.data()), text.size()));
    } else {
      write_error(out.initError(), parts);
    }
    out.setConsoleText(as_kj(parts.console));
    out.setConsoleTruncated(parts.console_truncated);
    if (end.denial) {
      auto denial = out.initDenial();
      denial.setCapability(as_kj(end.denial->capability));
      denial.setMessage(as_kj(end.denial->message));
      if (end.denial->target) denial.setTarget(as_kj(*end.denial->target));
    }
    write_usage(out.initUsage(), parts);
    out.setSignal(end.signal);
    if (!parts.closed.empty()) {
      const auto closed = parts.closed.read();
      if (closed->hasSubprocess()) out.setSubprocess(closed->getSubprocess());
    }
    out.setSandbox(parts.call.read()->getSandbox());
  };
  const std::size_t result = parts.result ? parts.result->size() : 0;
  return OutcomeMessage::build(
      fill, result + end.message.size() + end.stack.size() + parts.console.size());
}

OutcomeMessage outcome_without_sandbox(const CallMessage& call, const CallFacts& facts) {
  const CallEnd end = decide_end(facts, {}, {});
  return outcome_message({.end = end,
                          .call = call,
                          .result = std::nullopt,
                          .console = {},
                          .exit = std::nullopt,
                          .closed = {},
                          .module = nullptr,
                          .tests = nullptr});
}

}  // namespace cordon

#include "audit/verify.h"

#include <utility>

#include "audit/chain.h"
#include "audit/event_json.h"
#include "audit/log_reader.h"

namespace cordon {

namespace {

using Problem = VerifyReport::Problem;

Problem chain_problem(ChainFault fault, std::uint64_t line) {
  switch (fault) {
    case ChainFault::kHash:
      return {LogProblem::kHash, line, "the event was changed: it does not have its hash"};
    case ChainFault::kSequence:
      return {LogProblem::kSequence, line, "events are missing, repeated or out of order"};
    case ChainFault::kPrev:
      return {LogProblem::kPrev, line, "the event before is not the one that this one followed"};
    case ChainFault::kTime:
      break;
  }
  return {LogProblem::kTime, line, "the timestamp is before that of the event before"};
}

Problem line_problem(const LogReader::Line& line) {
  switch (line.kind) {
    case LogReader::Kind::kTooLong:
      return {LogProblem::kTooLong, line.number, "the line is too long"};
    case LogReader::Kind::kTorn:
      return {LogProblem::kTornTail, line.number, "the last line is incomplete"};
    case LogReader::Kind::kLine:
    case LogReader::Kind::kFailed:
      break;
  }
  return {LogProblem::kUnreadable, line.number, "cannot read: " + line.text};
}

// Takes one line into `head`, or says what is wrong with it.
std::optional<Problem> follow(const LogReader::Line& line, ChainHead& head) {
  if (line.kind != LogReader::Kind::kLine) return line_problem(line);
  const auto event = parse_event(line.text);
  if (!event) return Problem{LogProblem::kNotAnEvent, line.number, event.error()};
  if (const auto fault = chain_fault(*event, head)) return chain_problem(*fault, line.number);
  head = head_after(*event);
  return std::nullopt;
}

}  // namespace

const char* to_string(LogProblem problem) noexcept {
  switch (problem) {
    case LogProblem::kUnreadable:
      return "unreadable";
    case LogProblem::kTooLong:
      return "too-long";
    case LogProblem::kNotAnEvent:
      return "not-an-event";
    case LogProblem::kHash:
      return "hash";
    case LogProblem::kSequence:
      return "sequence";
    case LogProblem::kPrev:
      return "prev";
    case LogProblem::kTime:
      return "time";
    case LogProblem::kTornTail:
      return "torn-tail";
    case LogProblem::kHeadMissing:
      break;
  }
  return "head-missing";
}

VerifyReport verify_log(const std::filesystem::path& path,
                        std::optional<std::string_view> expected_head) {
  VerifyReport report;
  auto reader = LogReader::open(path);
  if (!reader) {
    report.problem = {LogProblem::kUnreadable, 0, reader.error()};
    return report;
  }
  ChainHead head;
  bool head_seen = !expected_head || *expected_head == head.hash;
  while (const auto line = reader->next()) {
    report.problem = follow(*line, head);
    if (report.problem) break;
    report.count = head.seq;
    report.head = head.hash;
    head_seen = head_seen || head.hash == *expected_head;
  }
  if (!report.problem && !head_seen) {
    report.problem = {LogProblem::kHeadMissing, 0, "no event has the expected hash"};
  }
  return report;
}

}  // namespace cordon

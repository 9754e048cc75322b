#include "audit/verify.h"

#include <utility>

#include "audit/chain.h"
#include "audit/event_json.h"
#include "audit/log_record.h"
#include "audit/trail_reader.h"

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

class Verifier {
 public:
  explicit Verifier(const VerifyOptions& options)
      : options_(options),
        head_seen_(!options.expected_head || *options.expected_head == head_.hash) {}

  // Takes one line, or says what is wrong with it.
  std::optional<Problem> follow(const LogReader::Line& line, VerifyReport& report) {
    if (line.kind != LogReader::Kind::kLine) return line_problem(line);
    const auto event = parse_event(line.text);
    if (!event) return Problem{LogProblem::kNotAnEvent, line.number, event.error()};
    if (const auto fault = chain_fault(*event, head_)) return chain_problem(*fault, line.number);
    if (is_log_record(*event, kCheckpoint)) {
      ++report.checkpoints;
      if (!vouches(*event, report)) {
        return Problem{LogProblem::kSignature, line.number,
                       "the checkpoint is not signed by any of the keys given"};
      }
    }
    head_ = head_after(*event);
    report.count = head_.seq;
    report.head = head_.hash;
    head_seen_ = head_seen_ || head_.hash == *options_.expected_head;
    return std::nullopt;
  }

  // What only the whole log shows.
  std::optional<Problem> finish(const VerifyReport& report) const {
    if (!head_seen_) {
      return Problem{LogProblem::kHeadMissing, 0, "no event has the expected hash"};
    }
    if (!options_.keys.empty() && report.signed_through == 0) {
      return Problem{LogProblem::kUnsigned, 0, "no checkpoint is signed"};
    }
    return std::nullopt;
  }

 private:
  bool vouches(const SandboxAuditEvent& checkpoint, VerifyReport& report) const {
    if (options_.keys.empty() || !is_signed(checkpoint)) return true;
    for (const PublicKey& key : options_.keys) {
      if (!key.signed_by(checkpoint)) continue;
      report.signed_through = checkpoint.seq - 1;
      return true;
    }
    return false;
  }

  const VerifyOptions& options_;
  ChainHead head_;
  bool head_seen_;
};

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
      return "head-missing";
    case LogProblem::kSignature:
      return "signature";
    case LogProblem::kUnsigned:
      break;
  }
  return "unsigned";
}

VerifyReport verify_log(const std::filesystem::path& path, const VerifyOptions& options) {
  VerifyReport report;
  auto reader = TrailReader::open(path);
  if (!reader) {
    report.problem = {LogProblem::kUnreadable, 0, reader.error()};
    return report;
  }
  report.files = reader->files();
  Verifier verifier(options);
  while (const auto line = reader->next()) {
    report.problem = verifier.follow(line->line, report);
    if (!report.problem) continue;
    report.problem->file = line->file;
    return report;
  }
  report.problem = verifier.finish(report);
  return report;
}

}  // namespace cordon

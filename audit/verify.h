#pragma once
// Proof that a log is the one that was written: `cordon audit verify`.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace cordon {

enum class LogProblem : std::uint8_t {
  kUnreadable,   // the file cannot be opened or read
  kTooLong,      // a line over kMaxLineBytes
  kNotAnEvent,   // a line that is not spelled as an event is
  kHash,         // an event was changed
  kSequence,     // events are missing, repeated, inserted or out of order
  kPrev,         // the event before was replaced
  kTime,         // a timestamp runs backwards
  kTornTail,     // the last line has no newline
  kHeadMissing,  // no event has the expected hash: the log was cut before it, or is another one
};

// "unreadable", "too-long", "not-an-event", "hash", "sequence", "prev", "time", "torn-tail",
// "head-missing".
const char* to_string(LogProblem problem) noexcept;

struct VerifyReport {
  struct Problem {
    LogProblem kind;
    std::uint64_t line;   // from 1; 0: the file as a whole
    std::string message;  // for a person; holds no text of the log
  };
  std::uint64_t count = 0;                  // good events before the first problem
  std::string head = std::string(64, '0');  // hash of the last of them; zeros: none
  std::optional<Problem> problem;           // the first
  bool good() const noexcept { return !problem.has_value(); }
};

// Checks every line of the log at `path`. With `expected_head`, a hash noted earlier, one of the
// events must have it; what follows that event was appended since and is checked just the same.
VerifyReport verify_log(const std::filesystem::path& path,
                        std::optional<std::string_view> expected_head = std::nullopt);

}  // namespace cordon

#pragma once
// Proof that a log is the one that was written: `cordon audit verify`.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/signature.h"

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
  kSignature,    // a checkpoint's signature is by none of the keys, or for another place
  kUnsigned,     // keys were given, and no checkpoint is signed
};

// "unreadable", "too-long", "not-an-event", "hash", "sequence", "prev", "time", "torn-tail",
// "head-missing", "signature", "unsigned".
const char* to_string(LogProblem problem) noexcept;

struct VerifyReport {
  struct Problem {
    LogProblem kind;
    std::uint64_t line;   // from 1, in `file`; 0: the log as a whole
    std::string message;  // for a person; holds no text of the log
    std::string file = {};
  };
  std::uint64_t count = 0;                  // good events and records before the first problem
  std::string head = std::string(64, '0');  // hash of the last of them; zeros: none
  std::uint64_t files = 0;                  // that the log consists of
  std::uint64_t checkpoints = 0;
  // The newest event that a checkpoint vouches for whose signature was checked; 0: none.
  std::uint64_t signed_through = 0;
  std::optional<Problem> problem;  // the first
  bool good() const noexcept { return !problem.has_value(); }
};

struct VerifyOptions {
  // A hash noted earlier: one of the events must have it. What follows that event was appended
  // since and is checked just the same.
  std::optional<std::string> expected_head = {};
  // With keys, every signed checkpoint must be signed by one of them, and one must be there.
  std::vector<PublicKey> keys = {};
};

// Checks every line of the trail at `path`, in all of its files, or of the database there.
VerifyReport verify_log(const std::filesystem::path& path, const VerifyOptions& options = {});

}  // namespace cordon

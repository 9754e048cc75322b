#pragma once
// Where a runtime keeps its audit trail, and how sure it is of it.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cordon {

// What an event outlives from the moment that the guest may see the reply it is about.
enum class AuditDurability : std::uint8_t {
  kNone,   // the death of this process: it is in the kernel's hands
  kGroup,  // a power failure; what came in during one fsync shares the next
  kEach,   // the same, one fsync an event
};

struct AuditOptions {
  // All of these at once; they hold the same chain. None: events go to subscribers alone.
  std::vector<std::filesystem::path> files = {};      // JSON lines; created with mode 0600
  std::vector<std::filesystem::path> databases = {};  // SQLite; the same
  bool standard_output = false;                       // JSON lines

  AuditDurability durability = AuditDurability::kNone;
  // A file that is as long, or whose first event is as old, becomes FILE.000001 and so on; 0:
  // never.
  std::uint64_t rotate_bytes = 0;
  std::chrono::milliseconds rotate_age{0};

  // Events between two checkpoints. They are signed where there is a key, and then the log's end is
  // as well.
  std::uint64_t checkpoint_every = 1000;
  std::optional<std::filesystem::path> signing_key = {};  // Ed25519, PEM, no password

  // Calls go on when the log cannot be opened or written. What is missing is counted, and written
  // down once writing works again. Otherwise such calls end as kAuditFailed.
  bool best_effort = false;

  // What policy_digest() gave for what this runtime is to run, for the log's first record. Empty:
  // calls have policies of their own.
  std::string policy_digest = {};
};

}  // namespace cordon

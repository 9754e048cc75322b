#pragma once
// The one writer of an audit log. An event is in the log when append() returns: the page cache
// holds it, so it outlives the death of this process. Whatever fails, no half line stays behind an
// event that was reported as written.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <cordon/audit_event.h>

#include "audit/chain.h"
#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

// Not thread-safe: one owner.
class AuditLog {
 public:
  using Clock = std::function<std::int64_t()>;  // Unix milliseconds
  static std::int64_t system_clock_ms();

  // A chain in memory alone: events are linked and returned, none is kept.
  explicit AuditLog(Clock clock = system_clock_ms) : clock_(std::move(clock)) {}

  // Opens or creates (mode 0600) a regular file and holds it against other writers. Continues the
  // chain that it holds; a torn last line, left by a crash in the middle of a write, is cut off.
  // Any other content is an error and is left as it is, so a wrong file name costs nothing.
  static Result<AuditLog, std::string> open(const std::filesystem::path& path,
                                            Clock clock = system_clock_ms);

  // Links `record` into the chain and writes its line. On an error (no space, say) the log is as it
  // was before and a later append may succeed.
  Result<SandboxAuditEvent, std::string> append(wire::AuditRecord::Reader record);

  const ChainHead& head() const noexcept { return head_; }
  // Bytes of the torn last line that open() cut off; 0: there was none.
  std::size_t repaired_bytes() const noexcept { return repaired_bytes_; }

 private:
  std::optional<std::string> adopt_file(UniqueFd file);
  std::optional<std::string> write_line(std::string_view line);
  bool cut_torn_line();

  Clock clock_;
  ChainHead head_;
  UniqueFd file_;
  std::int64_t length_ = 0;  // bytes of complete lines
  bool torn_ = false;        // a failed write left bytes beyond length_
  std::size_t repaired_bytes_ = 0;
};

}  // namespace cordon

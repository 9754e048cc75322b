#pragma once
// Lines on a stream, such as standard output: for whoever collects them. Holds no chain; cannot
// take back what is out, so it comes last of a log's sinks and finishes a line before it begins
// another.

#include <string>

#include "audit/sink.h"

namespace cordon {

class StreamSink final : public AuditSink {
 public:
  // `descriptor` outlives it. Waits for a reader that does not keep up.
  explicit StreamSink(int descriptor) noexcept : descriptor_(descriptor) {}

  std::optional<ChainHead> head() const override { return std::nullopt; }
  std::filesystem::path path() const override { return {}; }
  Error begin() override;
  Error append(const SandboxAuditEvent& event, std::string_view line) override;
  Error commit() override;
  void undo() override { batch_.clear(); }

 private:
  Error flush();

  const int descriptor_;
  std::string batch_;
  std::string unsent_;  // the rest of what was begun
};

}  // namespace cordon

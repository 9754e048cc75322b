#pragma once
// A chain of files of JSON lines: the one writer of PATH, and of PATH.000001, PATH.000002, ... that
// it was before. Whatever fails, no half line stays behind an event that was reported as written.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "audit/sink.h"
#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

// When a file has had enough and the next one begins; 0: never.
struct Rotation {
  std::uint64_t bytes = 0;  // once it is as long as this
  std::int64_t age_ms = 0;  // once its first event is as old as this
};

// PATH.000001 and so on.
std::filesystem::path rotated_file(const std::filesystem::path& path, std::uint64_t number);

class LogFile final : public AuditSink {
 public:
  // Opens or creates (mode 0600) a regular file and holds it against other writers. Continues the
  // chain that it holds; a torn last line, left by a crash in the middle of a write, is cut off.
  // Any other content is an error and is left as it is, so a wrong file name costs nothing.
  static Result<std::unique_ptr<LogFile>, std::string> open(const std::filesystem::path& path,
                                                            Rotation rotation = {},
                                                            Durability = Durability::kProcess);

  std::optional<ChainHead> head() const override { return head_; }
  std::filesystem::path path() const override { return path_; }
  // Begins the next file where the last batch was a `rotate` record.
  Error begin() override;
  Error append(const SandboxAuditEvent& event, std::string_view line) override;
  Error commit() override;
  void undo() override;
  bool rotation_due(std::int64_t now_ms) const override;
  std::size_t repaired_bytes() const override { return repaired_bytes_; }

 private:
  LogFile(std::filesystem::path path, Rotation rotation, Durability durability)
      : path_(std::move(path)), rotation_(rotation), durability_(durability) {}

  Error adopt(UniqueFd file);
  Error read_head();
  Error write_batch();
  Error begin_next_file();
  Error sync_directory() const;
  bool cut_beyond_length();

  const std::filesystem::path path_;
  const Rotation rotation_;
  const Durability durability_;
  UniqueFd file_;
  ChainHead head_;
  std::int64_t length_ = 0;  // bytes of complete lines
  bool beyond_ = false;      // the file holds bytes beyond length_, which must go
  std::string batch_;        // lines not yet written
  ChainHead undo_head_;
  std::int64_t undo_length_ = 0;
  std::int64_t first_timestamp_ = 0;  // of the file's first event; 0: none yet
  std::uint64_t rotated_ = 0;         // files that this one was before
  bool ended_ = false;                // the last line is a `rotate` record
  std::size_t repaired_bytes_ = 0;
};

}  // namespace cordon

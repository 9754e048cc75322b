#pragma once
// A database that holds the same chain as a log file, indexed for questions. Readers may look while
// it is written (write-ahead log).

#include <cordon/audit_event.h>

#include "audit/sink.h"
#include "audit/sqlite.h"
#include "messages/result.h"

namespace cordon {

class SqliteSink final : public AuditSink {
 public:
  // Opens or creates (mode 0600) a database of Cordon's own; any other file is an error and left as
  // it is. A second writer is not kept out: the first batch of whoever is behind fails.
  static Result<std::unique_ptr<SqliteSink>, std::string> open(const std::filesystem::path& path,
                                                               Durability = Durability::kProcess);

  std::optional<ChainHead> head() const override { return head_; }
  std::filesystem::path path() const override { return path_; }
  Error begin() override;
  Error append(const SandboxAuditEvent& event, std::string_view line) override;
  Error commit() override;
  void undo() override;

 private:
  SqliteSink(std::filesystem::path path, Database database)
      : path_(std::move(path)), database_(std::move(database)) {}
  Error set_up(Durability durability);
  Error failed(std::string_view what) const;

  const std::filesystem::path path_;
  Database database_;
  std::unique_ptr<Statement> insert_;  // before the database goes
  ChainHead head_;
  ChainHead undo_head_;
  bool beyond_ = false;  // rows after head_ are still to be taken back
};

}  // namespace cordon

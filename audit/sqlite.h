#pragma once
// The little of SQLite that is needed here, with owners for its handles.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <cordon/audit_event.h>

struct sqlite3;
struct sqlite3_stmt;

namespace cordon {

struct CloseDatabase {
  void operator()(sqlite3* database) const noexcept;
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const noexcept;
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

// A prepared statement. Columns and parameters are counted from 0.
class Statement {
 public:
  // Null if `sql` cannot be prepared; sqlite3_errmsg() says why.
  Statement(sqlite3* database, std::string_view sql);
  explicit operator bool() const noexcept { return statement_ != nullptr; }

  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view value);  // which must live until reset()
  template <class T>
  void bind(int parameter, const std::optional<T>& value) {
    if (value) {
      bind(parameter, *value);
    } else {
      bind_null(parameter);
    }
  }
  void bind_null(int parameter);

  enum class Step { kRow, kDone, kFailed };
  Step step();
  void reset();

  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  bool is_null(int column) const;

 private:
  std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement_;
};

// Runs SQL that has no rows to give; what went wrong otherwise.
std::optional<std::string> execute(sqlite3* database, const char* sql);

// The members of an event, in the order of its columns in table `events`.
inline constexpr std::string_view kEventColumns =
    "seq, sandbox, timestamp, capability, operation, target, outcome, reason, durationMs, bytes, "
    "count, prev, hash";
void bind_event(Statement& statement, const SandboxAuditEvent& event);
// Of a row of kEventColumns. Takes whatever is there: the event's hash tells what was changed.
SandboxAuditEvent event_of_row(const Statement& statement);

// Written into a database's header: what tells an audit trail from other databases.
inline constexpr std::int64_t kApplicationId = 0x436f7264;

}  // namespace cordon

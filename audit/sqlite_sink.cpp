#include "audit/sqlite_sink.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "audit/event_json.h"
#include "messages/unique_fd.h"

namespace cordon {

namespace {

constexpr int kBusyMs = 2000;
constexpr const char* kSchema =
    "CREATE TABLE events ("
    "  seq INTEGER PRIMARY KEY, sandbox TEXT NOT NULL, timestamp INTEGER NOT NULL,"
    "  capability TEXT NOT NULL, operation TEXT, target TEXT, outcome TEXT NOT NULL, reason TEXT,"
    "  durationMs REAL, bytes INTEGER, count INTEGER, prev TEXT NOT NULL, hash TEXT NOT NULL);"
    "CREATE INDEX events_by_sandbox ON events (sandbox);"
    "CREATE INDEX events_by_capability ON events (capability, outcome);"
    "CREATE INDEX events_by_time ON events (timestamp);"
    "PRAGMA application_id = 1131377252;";
static_assert(kApplicationId == 1131377252);

std::int64_t pragma(sqlite3* database, std::string_view sql) {
  Statement statement(database, sql);
  return statement && statement.step() == Statement::Step::kRow ? statement.integer(0) : -1;
}

// Only a new file is touched here: closing another descriptor of a database in use would drop
// SQLite's locks on it.
std::optional<std::string> create_if_absent(const std::filesystem::path& path) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  const UniqueFd file(::open(path.c_str(), kFlags, S_IRUSR | S_IWUSR));
  if (file) return std::nullopt;
  if (errno != EEXIST) return std::strerror(errno);
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::strerror(errno);
  if (S_ISLNK(status.st_mode)) return "it is a symbolic link";
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<SqliteSink>, std::string> SqliteSink::open(const std::filesystem::path& path,
                                                                  Durability durability) {
  const std::string name = "audit database " + path.string() + ": ";
  if (const auto problem = create_if_absent(path)) return name + *problem;
  sqlite3* opened = nullptr;
  const int result =
      sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<SqliteSink> sink(new SqliteSink(path, Database(opened)));
  if (result != SQLITE_OK) return name + sqlite3_errstr(result);
  if (const auto problem = sink->set_up(durability)) return name + *problem;
  return sink;
}

AuditSink::Error SqliteSink::failed(std::string_view what) const {
  return std::string(what) + ": " + sqlite3_errmsg(database_.get());
}

AuditSink::Error SqliteSink::set_up(Durability durability) {
  sqlite3* const database = database_.get();
  sqlite3_busy_timeout(database, kBusyMs);
  const std::int64_t tables = pragma(database, "SELECT count(*) FROM sqlite_schema");
  if (tables < 0) return failed("cannot read");
  if (tables > 0 && pragma(database, "PRAGMA application_id") != kApplicationId) {
    return "it is a database, but not an audit trail";
  }
  const bool machine = durability == Durability::kMachine;
  if (execute(database, "PRAGMA journal_mode = WAL") ||
      execute(database, machine ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF")) {
    return failed("cannot set up");
  }
  if (tables == 0 && execute(database, kSchema)) return failed("cannot create its table");
  const std::string columns(kEventColumns);
  insert_ =
      std::make_unique<Statement>(database, "INSERT INTO events (" + columns +
                                                ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Statement newest(database, "SELECT " + columns + " FROM events ORDER BY seq DESC LIMIT 1");
  if (!*insert_ || !newest) return failed("cannot use its table");
  const auto step = newest.step();
  if (step == Statement::Step::kFailed) return failed("cannot read");
  if (step == Statement::Step::kDone) return std::nullopt;
  const SandboxAuditEvent event = event_of_row(newest);
  if (event.hash != event_hash(event)) return "its newest event was changed";
  head_ = head_after(event);
  return std::nullopt;
}

AuditSink::Error SqliteSink::begin() {
  if (beyond_) undo();
  if (beyond_) return failed("cannot take back a batch that failed");
  if (execute(database_.get(), "BEGIN IMMEDIATE")) return failed("cannot begin");
  undo_head_ = head_;
  return std::nullopt;
}

AuditSink::Error SqliteSink::append(const SandboxAuditEvent& event, std::string_view) {
  bind_event(*insert_, event);
  const auto step = insert_->step();
  const bool twice = sqlite3_extended_errcode(database_.get()) == SQLITE_CONSTRAINT_PRIMARYKEY;
  AuditSink::Error problem;
  if (twice) problem = "another process is writing it";
  if (step == Statement::Step::kFailed && !twice) problem = failed("cannot write");
  insert_->reset();
  if (!problem) head_ = head_after(event);
  return problem;
}

AuditSink::Error SqliteSink::commit() {
  if (execute(database_.get(), "COMMIT")) return failed("cannot commit");
  return std::nullopt;
}

void SqliteSink::undo() {
  head_ = undo_head_;
  if (sqlite3_get_autocommit(database_.get()) == 0) {
    beyond_ = execute(database_.get(), "ROLLBACK").has_value();
    return;
  }
  const std::string sql = "DELETE FROM events WHERE seq > " + std::to_string(head_.seq);
  beyond_ = execute(database_.get(), sql.c_str()).has_value();
}

}  // namespace cordon

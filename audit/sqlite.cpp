#include "audit/sqlite.h"

#include <sqlite3.h>

namespace cordon {

namespace {

std::optional<std::string> optional_text(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(row.text(column));
}

std::optional<std::uint64_t> optional_amount(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return static_cast<std::uint64_t>(row.integer(column));
}

std::optional<std::int64_t> as_signed(const std::optional<std::uint64_t>& value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

SandboxAuditEvent::Outcome outcome_named(std::string_view name) {
  using Outcome = SandboxAuditEvent::Outcome;
  if (name == to_string(Outcome::kUsed)) return Outcome::kUsed;
  return name == to_string(Outcome::kDenied) ? Outcome::kDenied : Outcome::kError;
}

}  // namespace

void CloseDatabase::operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }

void FinalizeStatement::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

Statement::Statement(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
}

void Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter + 1, value);
}

void Statement::bind(int parameter, double value) {
  sqlite3_bind_double(statement_.get(), parameter + 1, value);
}

void Statement::bind(int parameter, std::string_view value) {
  sqlite3_bind_text(statement_.get(), parameter + 1, value.data(), static_cast<int>(value.size()),
                    SQLITE_STATIC);
}

void Statement::bind_null(int parameter) { sqlite3_bind_null(statement_.get(), parameter + 1); }

Statement::Step Statement::step() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return Step::kRow;
    case SQLITE_DONE:
      return Step::kDone;
    default:
      return Step::kFailed;
  }
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string Statement::text(int column) const {
  const auto* const text = sqlite3_column_text(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text), size);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::optional<std::string> execute(sqlite3* database, const char* sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return std::nullopt;
  return std::string(sqlite3_errmsg(database));
}

void bind_event(Statement& statement, const SandboxAuditEvent& event) {
  int at = 0;
  statement.bind(at++, static_cast<std::int64_t>(event.seq));
  statement.bind(at++, std::string_view(event.sandbox));
  statement.bind(at++, event.timestamp);
  statement.bind(at++, std::string_view(event.capability));
  statement.bind(at++, std::optional<std::string_view>(event.operation));
  statement.bind(at++, std::optional<std::string_view>(event.target));
  statement.bind(at++, std::string_view(to_string(event.outcome)));
  statement.bind(at++, std::optional<std::string_view>(event.reason));
  statement.bind(at++, event.duration_ms);
  statement.bind(at++, as_signed(event.bytes));
  statement.bind(at++, as_signed(event.count));
  statement.bind(at++, std::string_view(event.prev));
  statement.bind(at, std::string_view(event.hash));
}

SandboxAuditEvent event_of_row(const Statement& row) {
  SandboxAuditEvent event;
  int at = 0;
  event.seq = static_cast<std::uint64_t>(row.integer(at++));
  event.sandbox = row.text(at++);
  event.timestamp = row.integer(at++);
  event.capability = row.text(at++);
  event.operation = optional_text(row, at++);
  event.target = optional_text(row, at++);
  event.outcome = outcome_named(row.text(at++));
  event.reason = optional_text(row, at++);
  if (!row.is_null(at)) event.duration_ms = row.real(at);
  event.bytes = optional_amount(row, ++at);
  event.count = optional_amount(row, ++at);
  event.prev = row.text(++at);
  event.hash = row.text(++at);
  return event;
}

}  // namespace cordon

#include "audit/trail_reader.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "audit/log_file.h"

namespace cordon {

namespace {

constexpr int kBusyMs = 2000;

bool is_database(const std::filesystem::path& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::array<char, kMagic.size()> bytes{};
  std::ifstream(path, std::ios::binary).read(bytes.data(), bytes.size());
  return std::string_view(bytes.data(), bytes.size()) == kMagic;
}

}  // namespace

Result<TrailReader, std::string> TrailReader::open(const std::filesystem::path& path) {
  if (is_database(path)) return open_database(path);
  Files files;
  files.path = path;
  if (const auto problem = list(files)) return *problem;
  const std::size_t count = files.waiting.size() + 1;
  return TrailReader(std::move(files), count);
}

// Finds the files from `next_number` on.
std::optional<std::string> TrailReader::list(Files& files) {
  auto newest = LogReader::open(files.path);
  if (!newest) return newest.error();
  struct stat status {};
  for (;; ++files.next_number) {
    const auto rotated = rotated_file(files.path, files.next_number);
    if (::lstat(rotated.c_str(), &status) != 0 || newest->reads(rotated)) break;
    files.waiting.push_back(rotated);
  }
  std::reverse(files.waiting.begin(), files.waiting.end());
  files.newest = std::move(*newest);
  return std::nullopt;
}

Result<TrailReader, std::string> TrailReader::open_database(const std::filesystem::path& path) {
  const std::string name = "audit database " + path.string() + ": ";
  sqlite3* opened = nullptr;
  const int result =
      sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(opened);
  if (result != SQLITE_OK) return name + sqlite3_errstr(result);
  sqlite3_busy_timeout(database.get(), kBusyMs);
  Statement statement(database.get(), "SELECT " + std::string(kEventColumns) +
                                          " FROM events WHERE seq > ? ORDER BY seq");
  if (!statement) return name + "it is not an audit trail: " + sqlite3_errmsg(database.get());
  statement.bind(0, std::int64_t{0});
  return TrailReader(Rows{std::move(database), std::move(statement), path}, 1);
}

std::optional<TrailReader::Line> TrailReader::next() {
  return std::visit([](auto& source) { return next(source); }, source_);
}

void TrailReader::resume() {
  if (auto* const rows = std::get_if<Rows>(&source_)) {
    rows->statement.reset();
    rows->statement.bind(0, rows->seq);
    return;
  }
  Files& files = std::get<Files>(source_);
  if (!files.now) return;
  files.now->resume();
  if (files.now->reads(files.path)) return;
  // It was rotated away, so nothing is appended to it any more; it was the newest and has a number.
  ++files.next_number;
  list(files);
}

std::optional<TrailReader::Line> TrailReader::next(Files& files) {
  for (;;) {
    if (files.now) {
      if (auto line = files.now->next()) return Line{std::move(*line), files.name};
    }
    if (!files.waiting.empty()) {
      files.name = files.waiting.back().string();
      files.waiting.pop_back();
      auto reader = LogReader::open(files.name);
      if (!reader) return Line{{LogReader::Kind::kFailed, 0, reader.error()}, files.name};
      files.now = std::move(*reader);
    } else if (files.newest) {
      files.now = std::exchange(files.newest, std::nullopt);
      files.name = files.path.string();
    } else {
      return std::nullopt;
    }
  }
}

std::optional<TrailReader::Line> TrailReader::next(Rows& rows) {
  switch (rows.statement.step()) {
    case Statement::Step::kRow: {
      const SandboxAuditEvent event = event_of_row(rows.statement);
      rows.seq = static_cast<std::int64_t>(event.seq);
      return Line{{LogReader::Kind::kLine, ++rows.number, to_json(event)}, rows.path.string()};
    }
    case Statement::Step::kDone:
      return std::nullopt;
    case Statement::Step::kFailed:
      break;
  }
  return Line{{LogReader::Kind::kFailed, ++rows.number, sqlite3_errmsg(rows.database.get())},
              rows.path.string()};
}

}  // namespace cordon

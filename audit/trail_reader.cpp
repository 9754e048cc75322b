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
  auto newest = LogReader::open(path);
  if (!newest) return newest.error();
  Files files;
  struct stat status {};
  for (std::uint64_t number = 1;; ++number) {
    const auto rotated = rotated_file(path, number);
    if (::lstat(rotated.c_str(), &status) != 0 || newest->reads(rotated)) break;
    files.waiting.push_back(rotated);
  }
  std::reverse(files.waiting.begin(), files.waiting.end());
  files.newest = std::move(*newest);
  files.newest_name = path;
  const std::size_t count = files.waiting.size() + 1;
  return TrailReader(std::move(files), count);
}

Result<TrailReader, std::string> TrailReader::open_database(const std::filesystem::path& path) {
  const std::string name = "audit database " + path.string() + ": ";
  sqlite3* opened = nullptr;
  const int result =
      sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(opened);
  if (result != SQLITE_OK) return name + sqlite3_errstr(result);
  sqlite3_busy_timeout(database.get(), kBusyMs);
  Statement statement(database.get(),
                      "SELECT " + std::string(kEventColumns) + " FROM events ORDER BY seq");
  if (!statement) return name + "it is not an audit trail: " + sqlite3_errmsg(database.get());
  return TrailReader(Rows{std::move(database), std::move(statement), path}, 1);
}

std::optional<TrailReader::Line> TrailReader::next() {
  return std::visit([](auto& source) { return next(source); }, source_);
}

std::optional<TrailReader::Line> TrailReader::next(Files& files) {
  for (;;) {
    if (files.now) {
      if (auto line = files.now->next()) return Line{std::move(*line), files.name.string()};
      files.now.reset();
    }
    if (!files.waiting.empty()) {
      files.name = files.waiting.back();
      files.waiting.pop_back();
      auto reader = LogReader::open(files.name);
      if (!reader) {
        files.waiting.clear();
        files.newest.reset();
        return Line{{LogReader::Kind::kFailed, 0, reader.error()}, files.name.string()};
      }
      files.now = std::move(*reader);
    } else if (files.newest) {
      files.now = std::exchange(files.newest, std::nullopt);
      files.name = files.newest_name;
    } else {
      return std::nullopt;
    }
  }
}

std::optional<TrailReader::Line> TrailReader::next(Rows& rows) {
  if (!rows.statement) return std::nullopt;
  switch (rows.statement.step()) {
    case Statement::Step::kRow: {
      const std::string text = to_json(event_of_row(rows.statement));
      return Line{{LogReader::Kind::kLine, ++rows.number, text}, rows.path.string()};
    }
    case Statement::Step::kDone:
      break;
    case Statement::Step::kFailed:
      return Line{{LogReader::Kind::kFailed, ++rows.number, sqlite3_errmsg(rows.database.get())},
                  rows.path.string()};
  }
  return std::nullopt;
}

}  // namespace cordon

#pragma once
// The lines of a whole trail in their order, whatever keeps it: a log file with the files that it
// was before, or a database. In bounded memory.

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "audit/log_reader.h"
#include "audit/sqlite.h"
#include "messages/result.h"

namespace cordon {

// Not thread-safe. May read a trail that is being written.
class TrailReader {
 public:
  struct Line {
    LogReader::Line line;  // its number counts from the file's or database's beginning
    std::string file;      // that it is of
  };

  // `path` may also be a file that was rotated away, which is then read alone. The error names it.
  static Result<TrailReader, std::string> open(const std::filesystem::path& path);

  // Nothing at the end of the trail, and after any line that is not a kLine.
  std::optional<Line> next();
  // After the end: looks for what came since, in files that came since as well.
  void resume();
  std::size_t files() const noexcept { return files_; }

 private:
  struct Files {
    std::filesystem::path path;                  // of the newest
    std::vector<std::filesystem::path> waiting;  // rotated away, the oldest last
    std::optional<LogReader> newest;  // opened first, so that a rotation meanwhile loses nothing
    std::optional<LogReader> now;     // what is read
    std::string name;                 // of that
    std::uint64_t next_number = 1;    // that the newest has once it is rotated away
  };
  struct Rows {
    Database database;
    Statement statement;
    std::filesystem::path path;
    std::uint64_t number = 0;
    std::int64_t seq = 0;  // of the newest that was read
  };
  using Source = std::variant<Files, Rows>;
  TrailReader(Source source, std::size_t files) : source_(std::move(source)), files_(files) {}
  static std::optional<std::string> list(Files& files);
  static std::optional<Line> next(Files& files);
  static std::optional<Line> next(Rows& rows);
  static Result<TrailReader, std::string> open_database(const std::filesystem::path& path);

  Source source_;
  std::size_t files_ = 0;
};

}  // namespace cordon

#pragma once
// The lines of an audit log, one after the other, in bounded memory.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

// Not thread-safe. May read a log that is being written.
class LogReader {
 public:
  enum class Kind : std::uint8_t {
    kLine,
    kTorn,     // the file's end, without a newline: a write was cut short, or the file was
    kTooLong,  // over kMaxLineBytes; `text` is empty
    kFailed,   // reading failed; `text` says why
  };
  struct Line {
    Kind kind;
    std::uint64_t number;  // from 1
    std::string text;      // without the newline
  };

  // A regular file. The error names it.
  static Result<LogReader, std::string> open(const std::filesystem::path& path);

  // Nothing at the end of the file, and after any line that is not a kLine.
  std::optional<Line> next();
  // After the end: what was appended since can be read, beginning with the whole of a torn line.
  void resume() noexcept { ended_ = false; }
  // Whether `path` names the very file that is read.
  bool reads(const std::filesystem::path& path) const;

 private:
  explicit LogReader(UniqueFd file) noexcept : file_(std::move(file)) {}
  std::optional<Line> end_with(Kind kind, std::string text);

  UniqueFd file_;
  std::string buffer_;
  std::size_t start_ = 0;  // of the next line in buffer_
  std::uint64_t number_ = 0;
  bool ended_ = false;
};

}  // namespace cordon

#pragma once
// Lines of a file or a pipe, one at a time, in bounded memory: of a line that is too long only its
// beginning is kept, and the rest is read past.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "messages/unique_fd.h"

namespace cordon::batch {

inline constexpr std::size_t kMaxLineBytes = std::size_t{32} << 20;

struct Line {
  std::uint64_t number = 0;  // 1-based
  std::string text;          // without its line break; cut if it is too long
  std::uint64_t bytes = 0;   // as read, line break included
  bool too_long = false;
};

class LineReader {
 public:
  explicit LineReader(UniqueFd input, std::size_t max_line_bytes = kMaxLineBytes)
      : input_(std::move(input)), max_line_bytes_(max_line_bytes) {}

  // Blocks for the next line; nothing at the end, or when reading fails. A last line without a line
  // break counts.
  std::optional<Line> next();

  // The same in two steps, for those who must not block. A line of what was read already, if it is
  // whole:
  std::optional<Line> take();
  // Reads once more when all was taken. Where nothing is there it blocks, but for sockets and for
  // descriptors that do not.
  void fill();

  int descriptor() const noexcept { return input_.get(); }
  // Nothing more can be read: the end, or an error.
  bool ended() const noexcept { return ended_; }
  // Why reading failed; 0 when it did not.
  int error() const noexcept { return error_; }

 private:
  UniqueFd input_;
  const std::size_t max_line_bytes_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what is not handed out yet
  Line line_;              // what is known of the next one
  std::uint64_t number_ = 0;
  bool ended_ = false;
  int error_ = 0;
};

}  // namespace cordon::batch

#include "cli/batch/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace cordon::batch {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

}  // namespace

std::optional<Line> LineReader::next() {
  Line line;
  for (;;) {
    const std::size_t end = buffer_.find('\n', begin_);
    const bool ended = end != std::string::npos;
    const std::size_t part = (ended ? end : buffer_.size()) - begin_;
    const std::size_t room = max_line_bytes_ - line.text.size();
    line.too_long |= part > room;
    line.text.append(buffer_, begin_, std::min(part, room));
    line.bytes += part + (ended ? 1 : 0);
    begin_ = ended ? end + 1 : buffer_.size();
    if (ended || (!fill() && line.bytes > 0 && error_ == 0)) {
      line.number = ++number_;
      if (line.text.ends_with('\r')) line.text.pop_back();
      return line;
    }
    if (begin_ == buffer_.size()) return std::nullopt;
  }
}

// False at the end.
bool LineReader::fill() {
  buffer_.resize(kChunkBytes);
  begin_ = 0;
  for (;;) {
    std::array<pollfd, 2> ready{{{input_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
    if (::poll(ready.data(), stop_ ? 2 : 1, -1) < 0) {
      if (errno == EINTR) continue;
      error_ = errno;
      break;
    }
    if (ready[1].revents != 0) {
      error_ = ECANCELED;
      break;
    }
    const ssize_t got = ::read(input_.get(), buffer_.data(), buffer_.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error_ = errno;
    if (got <= 0) break;
    buffer_.resize(static_cast<std::size_t>(got));
    return true;
  }
  buffer_.clear();
  return false;
}

}  // namespace cordon::batch

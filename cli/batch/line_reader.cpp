#include "cli/batch/line_reader.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

namespace cordon::batch {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // before what some editors write

}  // namespace

std::optional<Line> LineReader::next() {
  for (;;) {
    if (auto line = take()) return line;
    if (ended_) return std::nullopt;
    pollfd input{input_.get(), POLLIN, 0};
    ::poll(&input, 1, -1);
    fill();
  }
}

std::optional<Line> LineReader::take() {
  const std::size_t end = buffer_.find('\n', begin_);
  const bool whole = end != std::string::npos;
  const std::size_t part = (whole ? end : buffer_.size()) - begin_;
  const std::size_t room = max_line_bytes_ - line_.text.size();
  line_.too_long |= part > room;
  line_.text.append(buffer_, begin_, std::min(part, room));
  line_.bytes += part + (whole ? 1 : 0);
  begin_ = whole ? end + 1 : buffer_.size();
  const bool last = ended_ && error_ == 0 && line_.bytes > 0;
  if (!whole && !last) return std::nullopt;
  line_.number = ++number_;
  if (line_.text.ends_with('\r')) line_.text.pop_back();
  if (number_ == 1 && line_.text.starts_with(kByteOrderMark)) {
    line_.text.erase(0, kByteOrderMark.size());
  }
  return std::exchange(line_, {});
}

void LineReader::fill() {
  if (begin_ < buffer_.size()) return;  // to be taken first
  buffer_.resize(kChunkBytes);
  begin_ = 0;
  ssize_t got = 0;
  do {
    got = ::recv(input_.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got < 0 && errno == ENOTSOCK) got = ::read(input_.get(), buffer_.data(), buffer_.size());
  } while (got < 0 && errno == EINTR);
  const bool nothing_yet = got < 0 && errno == EAGAIN;
  if (got < 0 && !nothing_yet) error_ = errno;
  ended_ = got <= 0 && !nothing_yet;
  buffer_.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
}

}  // namespace cordon::batch

#include "audit/log_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "audit/event_json.h"

namespace cordon {

namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

ssize_t read_some(int file, char* out, std::size_t size) {
  ssize_t count = 0;
  do {
    count = ::read(file, out, size);
  } while (count < 0 && errno == EINTR);
  return count;
}

}  // namespace

Result<LogReader, std::string> LogReader::open(const std::filesystem::path& path) {
  const std::string name = "audit log " + path.string() + ": ";
  UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) return name + std::strerror(errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return name + std::strerror(errno);
  if (!S_ISREG(status.st_mode)) return name + "it is not a regular file";
  return LogReader(std::move(file));
}

std::optional<LogReader::Line> LogReader::end_with(Kind kind, std::string text) {
  ended_ = true;
  return Line{kind, ++number_, std::move(text)};
}

std::optional<LogReader::Line> LogReader::next() {
  std::size_t searched = start_;
  while (!ended_) {
    const std::size_t end = buffer_.find('\n', searched);
    const std::size_t length = (end == std::string::npos ? buffer_.size() : end) - start_;
    if (length > kMaxLineBytes) return end_with(Kind::kTooLong, {});
    if (end != std::string::npos) {
      Line line{Kind::kLine, ++number_, buffer_.substr(start_, length)};
      start_ = end + 1;
      return line;
    }
    buffer_.erase(0, start_);
    start_ = 0;
    searched = buffer_.size();
    buffer_.resize(searched + kChunkBytes);
    const ssize_t count = read_some(file_.get(), buffer_.data() + searched, kChunkBytes);
    buffer_.resize(searched + static_cast<std::size_t>(count < 0 ? 0 : count));
    if (count < 0) return end_with(Kind::kFailed, std::strerror(errno));
    if (count > 0) continue;
    ended_ = true;
    // Kept: the rest may follow.
    if (!buffer_.empty()) return Line{Kind::kTorn, number_ + 1, buffer_};
  }
  return std::nullopt;
}

bool LogReader::reads(const std::filesystem::path& path) const {
  struct stat mine {
  }, there{};
  return ::fstat(file_.get(), &mine) == 0 && ::stat(path.c_str(), &there) == 0 &&
         mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

}  // namespace cordon

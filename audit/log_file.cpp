#include "audit/log_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "audit/event_json.h"
#include "audit/log_reader.h"
#include "audit/log_record.h"
#include "audit/log_tail.h"

namespace cordon {

namespace {

// O_NONBLOCK: a FIFO or a device must not hold this up before it is refused.
constexpr int kFlags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
constexpr int kOpenAttempts = 8;

std::string with_errno(std::string_view what, int error) {
  return std::string(what) + ": " + std::strerror(error);
}

// Whether `path` names the very file that `file` is.
bool is_file_at(int file, const std::filesystem::path& path) {
  struct stat mine {
  }, there{};
  return ::fstat(file, &mine) == 0 && ::lstat(path.c_str(), &there) == 0 &&
         mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

std::uint64_t count_rotated(int file, const std::filesystem::path& path) {
  std::uint64_t count = 0;
  struct stat status {};
  while (::lstat(rotated_file(path, count + 1).c_str(), &status) == 0 &&
         !is_file_at(file, rotated_file(path, count + 1))) {
    ++count;
  }
  return count;
}

// Where the chain ends in the newest of the files that were rotated away.
Result<ChainHead, std::string> head_of_rotated(const std::filesystem::path& path) {
  const std::string name = "its predecessor " + path.filename().string() + ": ";
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) return with_errno(name + "cannot open", errno);
  const auto tail = read_log_tail(file.get(), static_cast<std::size_t>(status.st_size));
  if (!tail) return name + tail.error();
  if (!tail->ended || tail->torn_bytes != 0) return name + "it does not end in a `rotate` record";
  return tail->head;
}

}  // namespace

std::filesystem::path rotated_file(const std::filesystem::path& path, std::uint64_t number) {
  char suffix[24];
  std::snprintf(suffix, sizeof suffix, ".%06llu", static_cast<unsigned long long>(number));
  return path.string() + suffix;
}

Result<std::unique_ptr<LogFile>, std::string> LogFile::open(const std::filesystem::path& path,
                                                            Rotation rotation,
                                                            Durability durability) {
  const std::string name = "audit log " + path.string() + ": ";
  std::unique_ptr<LogFile> log(new LogFile(path, rotation, durability));
  // Again when the file was rotated away between opening and locking it.
  for (int attempt = 0; attempt < kOpenAttempts; ++attempt) {
    UniqueFd file(::open(path.c_str(), kFlags, S_IRUSR | S_IWUSR));
    if (!file && errno == ELOOP) return name + "it is a symbolic link";
    if (!file) return name + std::strerror(errno);
    if (const auto problem = log->adopt(std::move(file))) return name + *problem;
    if (is_file_at(log->file_.get(), path)) {
      if (const auto problem = log->read_head()) return name + *problem;
      return log;
    }
  }
  return name + "it is being replaced all the time";
}

AuditSink::Error LogFile::adopt(UniqueFd file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return with_errno("cannot examine", errno);
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return "another process is writing it";
    return with_errno("cannot lock", errno);
  }
  file_ = std::move(file);
  return std::nullopt;
}

AuditSink::Error LogFile::read_head() {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) return with_errno("cannot examine", errno);
  const auto tail = read_log_tail(file_.get(), static_cast<std::size_t>(status.st_size));
  if (!tail) return tail.error();
  head_ = tail->head;
  ended_ = tail->ended;
  rotated_ = count_rotated(file_.get(), path_);
  if (tail->empty && rotated_ > 0) {
    auto head = head_of_rotated(rotated_file(path_, rotated_));
    if (!head) return head.error();
    head_ = std::move(*head);
  }
  length_ = status.st_size - static_cast<std::int64_t>(tail->torn_bytes);
  beyond_ = tail->torn_bytes > 0;
  if (beyond_ && !cut_beyond_length()) {
    return with_errno("cannot cut off its torn last line", errno);
  }
  repaired_bytes_ = tail->torn_bytes;
  if (!tail->empty && rotation_.age_ms > 0) {
    auto reader = LogReader::open(path_);
    const auto line = reader ? reader->next() : std::nullopt;
    const auto event = parse_event(line ? line->text : std::string());
    if (!event) return "its first line is not an audit event: " + event.error();
    first_timestamp_ = event->timestamp;
  }
  return durability_ == Durability::kMachine ? sync_directory() : std::nullopt;
}

bool LogFile::cut_beyond_length() {
  if (::ftruncate(file_.get(), length_) != 0) return false;
  beyond_ = false;
  return true;
}

AuditSink::Error LogFile::begin() {
  if (beyond_ && !cut_beyond_length()) return with_errno("cannot cut off a torn line", errno);
  if (ended_) {
    if (const auto problem = begin_next_file()) return problem;
  }
  batch_.clear();
  undo_head_ = head_;
  undo_length_ = length_;
  return std::nullopt;
}

AuditSink::Error LogFile::append(const SandboxAuditEvent& event, std::string_view line) {
  batch_ += line;
  head_ = head_after(event);
  ended_ = is_log_record(event, kRotate);
  if (length_ == 0 && first_timestamp_ == 0) first_timestamp_ = event.timestamp;
  return std::nullopt;
}

AuditSink::Error LogFile::commit() {
  if (const auto problem = write_batch()) return problem;
  if (durability_ == Durability::kMachine && ::fdatasync(file_.get()) != 0) {
    return with_errno("cannot make it durable", errno);
  }
  return std::nullopt;
}

AuditSink::Error LogFile::write_batch() {
  std::string_view rest = batch_;
  while (!rest.empty()) {
    const ssize_t count = ::write(file_.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int error = count < 0 ? errno : ENOSPC;
      beyond_ = true;
      return with_errno("cannot write", error);
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  length_ += static_cast<std::int64_t>(batch_.size());
  batch_.clear();
  return std::nullopt;
}

void LogFile::undo() {
  batch_.clear();
  head_ = undo_head_;
  ended_ = false;
  beyond_ = beyond_ || length_ != undo_length_;
  length_ = undo_length_;
  if (length_ == 0) first_timestamp_ = 0;
  if (beyond_) cut_beyond_length();
}

bool LogFile::rotation_due(std::int64_t now_ms) const {
  if (ended_ || length_ == 0) return false;
  if (rotation_.bytes > 0 && length_ >= static_cast<std::int64_t>(rotation_.bytes)) return true;
  return rotation_.age_ms > 0 && first_timestamp_ > 0 &&
         now_ms - first_timestamp_ >= rotation_.age_ms;
}

// PATH names one file or the other at every moment, so a crash leaves one of the states that
// open() knows: the old file, the old file with its new name as well, the new file without a line.
AuditSink::Error LogFile::begin_next_file() {
  const std::string next_path = path_.string() + ".next";
  if (::unlink(next_path.c_str()) != 0 && errno != ENOENT) {
    return with_errno("cannot remove a left-over next file", errno);
  }
  UniqueFd next(::open(next_path.c_str(), kFlags | O_EXCL, S_IRUSR | S_IWUSR));
  if (!next) return with_errno("cannot create the next file", errno);
  if (::flock(next.get(), LOCK_EX | LOCK_NB) != 0) return with_errno("cannot lock", errno);
  const auto old_path = rotated_file(path_, rotated_ + 1);
  if (::link(path_.c_str(), old_path.c_str()) != 0 &&
      !(errno == EEXIST && is_file_at(file_.get(), old_path))) {
    return with_errno("cannot give it the name " + old_path.filename().string(), errno);
  }
  if (::rename(next_path.c_str(), path_.c_str()) != 0) {
    return with_errno("cannot begin the next file", errno);
  }
  file_ = std::move(next);
  ++rotated_;
  length_ = 0;
  first_timestamp_ = 0;
  ended_ = false;
  return durability_ == Durability::kMachine ? sync_directory() : std::nullopt;
}

AuditSink::Error LogFile::sync_directory() const {
  const auto parent = path_.has_parent_path() ? path_.parent_path() : std::filesystem::path(".");
  const UniqueFd directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory || ::fsync(directory.get()) != 0) {
    return with_errno("cannot make its directory durable", errno);
  }
  return std::nullopt;
}

}  // namespace cordon

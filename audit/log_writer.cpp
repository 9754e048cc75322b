#include "audit/log_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "audit/event_json.h"

namespace cordon {

namespace {

constexpr std::string_view kFirstLine = R"({"v":1,"seq":1,"sandbox":")";

std::string with_errno(std::string_view what, int error) {
  return std::string(what) + ": " + std::strerror(error);
}

struct Tail {
  bool has_lines;         // complete ones
  std::string last_line;  // the newest complete line, without its newline
  std::string torn;       // what follows it
};

// Reads no more than two lines can take.
Result<Tail, std::string> read_tail(int file, std::size_t size) {
  std::string bytes(std::min(size, 2 * (kMaxLineBytes + 1)), '\0');
  const std::size_t start = size - bytes.size();
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(start + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return with_errno("cannot read", errno);
    if (count == 0) return std::string("the file shrank while it was read");
    done += static_cast<std::size_t>(count);
  }
  const std::string overlong = "it holds a line that is too long for an audit log";
  const std::size_t end = bytes.rfind('\n');
  if (end == std::string::npos) {
    if (bytes.size() > kMaxLineBytes) return overlong;
    return Tail{false, {}, std::move(bytes)};
  }
  const std::size_t before = end == 0 ? std::string::npos : bytes.rfind('\n', end - 1);
  if (before == std::string::npos && start > 0) return overlong;
  const std::size_t line = before == std::string::npos ? 0 : before + 1;
  if (bytes.size() - end - 1 > kMaxLineBytes) return overlong;
  return Tail{true, bytes.substr(line, end - line), bytes.substr(end + 1)};
}

// Whether `torn`, all that a file holds, can be the beginning of a log's first line.
bool begins_log(std::string_view torn) {
  return torn.substr(0, kFirstLine.size()) == kFirstLine.substr(0, torn.size());
}

// The head of the log that ends in `tail`, or why it is not a log.
Result<ChainHead, std::string> head_of(const Tail& tail) {
  if (!tail.has_lines) {
    if (!begins_log(tail.torn)) return std::string("it is not an audit log");
    return ChainHead{};
  }
  const auto event = parse_event(tail.last_line);
  if (!event) return "its last line is not an audit event: " + event.error();
  if (event->hash != event_hash(*event)) return std::string("its last line was changed");
  return head_after(*event);
}

}  // namespace

std::int64_t AuditLog::system_clock_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

Result<AuditLog, std::string> AuditLog::open(const std::filesystem::path& path, Clock clock) {
  // O_NONBLOCK: a FIFO or a device must not hold this up before it is refused.
  constexpr int kFlags =
      O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const std::string name = "audit log " + path.string();
  UniqueFd file(::open(path.c_str(), kFlags, S_IRUSR | S_IWUSR));
  if (!file) {
    if (errno == ELOOP) return name + ": it is a symbolic link";
    return with_errno(name, errno);
  }
  AuditLog log(std::move(clock));
  if (const auto problem = log.adopt_file(std::move(file))) return name + ": " + *problem;
  return log;
}

std::optional<std::string> AuditLog::adopt_file(UniqueFd file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return with_errno("cannot examine", errno);
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return "another process is writing it";
    return with_errno("cannot lock", errno);
  }
  // The size again, now that nobody else may change it.
  if (::fstat(file.get(), &status) != 0) return with_errno("cannot examine", errno);
  const auto tail = read_tail(file.get(), static_cast<std::size_t>(status.st_size));
  if (!tail) return tail.error();
  const auto torn_bytes = tail->torn.size();
  auto head = head_of(*tail);
  if (!head) return head.error();
  file_ = std::move(file);
  head_ = std::move(*head);
  length_ = status.st_size - static_cast<std::int64_t>(torn_bytes);
  torn_ = torn_bytes > 0;
  if (torn_ && !cut_torn_line()) return with_errno("cannot cut off its torn last line", errno);
  repaired_bytes_ = torn_bytes;
  return std::nullopt;
}

bool AuditLog::cut_torn_line() {
  if (::ftruncate(file_.get(), length_) != 0) return false;
  torn_ = false;
  return true;
}

Result<SandboxAuditEvent, std::string> AuditLog::append(wire::AuditRecord::Reader record) {
  SandboxAuditEvent event = next_event(record, head_, clock_());
  if (file_) {
    if (const auto problem = write_line(to_json(event) + '\n')) return "audit log: " + *problem;
  }
  head_ = head_after(event);
  return event;
}

std::optional<std::string> AuditLog::write_line(std::string_view line) {
  if (torn_ && !cut_torn_line()) return with_errno("cannot cut off a torn line", errno);
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t count = ::write(file_.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int error = count < 0 ? errno : ENOSPC;
      torn_ = rest.size() < line.size();
      if (torn_) cut_torn_line();
      return with_errno("cannot write", error);
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  // A level of durability beyond the death of this process (fdatasync) has its place here.
  length_ += static_cast<std::int64_t>(line.size());
  return std::nullopt;
}

}  // namespace cordon

#include "audit/log_tail.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "audit/event_json.h"
#include "audit/log_record.h"

namespace cordon {

namespace {

constexpr std::string_view kFirstLine = R"({"v":1,"seq":)";

struct Bytes {
  bool has_lines;         // complete ones
  std::string last_line;  // the newest complete line, without its newline
  std::string torn;       // what follows it
};

Result<Bytes, std::string> read_end(int file, std::size_t size) {
  std::string bytes(std::min(size, 2 * (kMaxLineBytes + 1)), '\0');
  const std::size_t start = size - bytes.size();
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(start + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::string("cannot read: ") + std::strerror(errno);
    if (count == 0) return std::string("the file shrank while it was read");
    done += static_cast<std::size_t>(count);
  }
  const std::string overlong = "it holds a line that is too long for an audit log";
  const std::size_t end = bytes.rfind('\n');
  if (end == std::string::npos) {
    if (bytes.size() > kMaxLineBytes) return overlong;
    return Bytes{false, {}, std::move(bytes)};
  }
  const std::size_t before = end == 0 ? std::string::npos : bytes.rfind('\n', end - 1);
  if (before == std::string::npos && start > 0) return overlong;
  const std::size_t line = before == std::string::npos ? 0 : before + 1;
  if (bytes.size() - end - 1 > kMaxLineBytes) return overlong;
  return Bytes{true, bytes.substr(line, end - line), bytes.substr(end + 1)};
}

// Whether `torn`, all that a file holds, can be the beginning of a file's first line.
bool begins_log(std::string_view torn) {
  return torn.substr(0, kFirstLine.size()) == kFirstLine.substr(0, torn.size());
}

}  // namespace

Result<LogTail, std::string> read_log_tail(int file, std::size_t size) {
  const auto bytes = read_end(file, size);
  if (!bytes) return bytes.error();
  LogTail tail;
  tail.torn_bytes = bytes->torn.size();
  if (!bytes->has_lines) {
    if (!begins_log(bytes->torn)) return std::string("it is not an audit log");
    return tail;
  }
  const auto event = parse_event(bytes->last_line);
  if (!event) return "its last line is not an audit event: " + event.error();
  if (event->hash != event_hash(*event)) return std::string("its last line was changed");
  tail.head = head_after(*event);
  tail.empty = false;
  tail.ended = is_log_record(*event, kRotate);
  return tail;
}

}  // namespace cordon

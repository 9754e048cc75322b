#include "audit/log_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <catch2/catch.hpp>

#include "audit/event_json.h"
#include "audit/verify.h"
#include "tests/audit/file_size_limit.h"
#include "tests/audit/records.h"

namespace cordon {
namespace {

std::string append_target(AuditLog& log, const char* target) {
  const auto event = log.append(test::record("filesystem.read", target));
  REQUIRE(event.has_value());
  return event->hash;
}

std::string open_error(const std::filesystem::path& path) {
  const auto log = test::open_log(path);
  REQUIRE_FALSE(log.has_value());
  return log.error();
}

TEST_CASE("a new log is private to its owner and holds the events that were returned") {
  const test::ScratchDirectory directory;
  const auto path = directory / "log";
  auto log = test::open_log(path);
  REQUIRE(log.has_value());
  CHECK(log->head().seq == 0);
  CHECK(log->repaired_bytes() == 0);
  std::string expected;
  for (const char* target : {"/a", "/b\n/c", "/d"}) {
    const auto event = log->append(test::record("filesystem.read", target));
    REQUIRE(event.has_value());
    expected += to_json(*event) + '\n';
    // There before append() returned, for anyone who looks.
    CHECK(test::slurp(path) == expected);
    CHECK(log->head().hash == event->hash);
  }
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
  const auto report = verify_log(path, {.expected_head = log->head().hash});
  CHECK(report.good());
  CHECK(report.count == 3);
}

TEST_CASE("opening continues the chain") {
  const test::ScratchDirectory directory;
  const auto path = directory / "log";
  std::int64_t now = 5000;
  const auto clock = [&now] { return now; };
  for (int round = 0; round < 3; ++round) {
    auto log = test::open_log(path, clock);
    REQUIRE(log.has_value());
    CHECK(log->head().seq == static_cast<std::uint64_t>(round * 2));
    append_target(*log, "/a");
    append_target(*log, "/b");
    now -= 1000;  // the clock was set back while nobody was looking
  }
  const auto report = verify_log(path);
  CHECK(report.good());
  CHECK(report.count == 6);
  CHECK(parse_event(test::lines_of(test::slurp(path)).back())->timestamp == 5000);
}

TEST_CASE("a chain without a file links events the same way") {
  const auto lines = test::lines_of(test::good_log(5));
  const test::ScratchDirectory directory;
  test::spill(directory / "log", test::joined(lines));
  CHECK(verify_log(directory / "log").count == 5);
}

TEST_CASE("two writers cannot have one log") {
  const test::ScratchDirectory directory;
  auto first = test::open_log(directory / "log");
  REQUIRE(first.has_value());
  CHECK(open_error(directory / "log").find("another process is writing it") != std::string::npos);
  { const AuditLog closed = std::move(*first); }
  CHECK(test::open_log(directory / "log").has_value());
}

TEST_CASE("only a regular file of its own name is a log") {
  const test::ScratchDirectory directory;
  SECTION("symbolic link") {
    test::spill(directory / "real", "");
    std::filesystem::create_symlink(directory / "real", directory / "log");
    CHECK(open_error(directory / "log").find("symbolic link") != std::string::npos);
  }
  SECTION("dangling symbolic link creates nothing") {
    std::filesystem::create_symlink(directory / "real", directory / "log");
    CHECK(open_error(directory / "log").find("symbolic link") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(directory / "real"));
  }
  SECTION("FIFO, without waiting for its other end") {
    REQUIRE(::mkfifo((directory / "log").c_str(), 0600) == 0);
    CHECK(open_error(directory / "log").find("not a regular file") != std::string::npos);
  }
  SECTION("device") {
    CHECK(open_error("/dev/null").find("not a regular file") != std::string::npos);
  }
  SECTION("directory") {
    CHECK(open_error(directory / ".").find("directory") != std::string::npos);
  }
  SECTION("no such directory") {
    CHECK(open_error(directory / "none/log").find("No such file") != std::string::npos);
  }
}

TEST_CASE("a file that is not a log is refused and left as it is") {
  const test::ScratchDirectory directory;
  const auto path = directory / "log";
  auto lines = test::lines_of(test::good_log(3));
  std::string text;
  std::string reason;
  SECTION("other text") {
    text = "root:x:0:0\n";
    reason = "not an audit event";
  }
  SECTION("other text without a newline") {
    text = "precious";
    reason = "not an audit log";
  }
  SECTION("other text after which nothing is torn") {
    text = "precious\nbytes";
    reason = "not an audit event";
  }
  SECTION("changed last line") {
    lines[2].replace(lines[2].find("/data/a"), 7, "/data/b");
    text = test::joined(lines);
    reason = "was changed";
  }
  SECTION("changed last line before a torn one") {
    lines[2].replace(lines[2].find("/data/a"), 7, "/data/b");
    text = test::joined(lines) + "{\"v\":1";
    reason = "was changed";
  }
  SECTION("empty last line") {
    text = test::joined(lines) + '\n';
    reason = "not an audit event";
  }
  SECTION("overlong last line") {
    text = test::joined(lines) + std::string(3 * kMaxLineBytes, ' ') + '\n';
    reason = "too long";
  }
  SECTION("overlong torn line") {
    text = test::joined(lines) + std::string(kMaxLineBytes + 1, 'x');
    reason = "too long";
  }
  SECTION("overlong and without any newline") {
    text = std::string(3 * kMaxLineBytes, 'x');
    reason = "too long";
  }
  test::spill(path, text);
  CHECK(open_error(path).find(reason) != std::string::npos);
  CHECK(test::slurp(path) == text);
}

TEST_CASE("a torn last line is cut off, whatever its length, and the chain goes on") {
  const test::ScratchDirectory directory;
  const auto path = directory / "log";
  const int whole_events = GENERATE(0, 1, 4);
  const std::string good = test::good_log(whole_events);
  const std::string next = test::lines_of(test::good_log(whole_events + 1)).back();
  for (std::size_t length = 1; length <= next.size(); ++length) {
    test::spill(path, good + next.substr(0, length));
    {
      auto log = test::open_log(path);
      REQUIRE(log.has_value());
      REQUIRE(log->repaired_bytes() == length);
      REQUIRE(log->head().seq == static_cast<std::uint64_t>(whole_events));
      REQUIRE(test::slurp(path) == good);
      append_target(*log, "/after");
    }
    const auto report = verify_log(path);
    REQUIRE(report.good());
    REQUIRE(report.count == static_cast<std::uint64_t>(whole_events) + 1);
  }
}

TEST_CASE("a full disk leaves the log as it was, and the log recovers") {
  const test::ScratchDirectory directory;
  const auto path = directory / "log";
  auto log = test::open_log(path);
  REQUIRE(log.has_value());
  append_target(*log, "/first");
  const std::string before = test::slurp(path);
  const ChainHead head = log->head();
  for (const rlim_t room : {rlim_t{0}, rlim_t{1}, rlim_t{100}}) {
    const test::FileSizeLimit limit(before.size() + room);
    const auto event = log->append(test::record("filesystem.read", "/second"));
    REQUIRE_FALSE(event.has_value());
    CHECK(event.error().find("cannot write") != std::string::npos);
    CHECK(test::slurp(path) == before);
    CHECK(log->head().hash == head.hash);
  }
  append_target(*log, "/second");
  const auto report = verify_log(path, {.expected_head = log->head().hash});
  CHECK(report.good());
  CHECK(report.count == 2);
}

TEST_CASE("what append() returned is in the file when the writer is killed") {
  const test::ScratchDirectory directory;
  const auto path = directory / "log";
  int pipe_ends[2];
  REQUIRE(::pipe2(pipe_ends, O_CLOEXEC) == 0);
  const UniqueFd reading(pipe_ends[0]);
  UniqueFd writing(pipe_ends[1]);
  const pid_t writer = ::fork();
  REQUIRE(writer >= 0);
  if (writer == 0) {
    // Appends until killed, and tells after each event that it is written.
    auto log = test::open_log(path);
    while (log && log->append(test::record("execute"))) {
      if (::write(writing.get(), "x", 1) != 1) break;
    }
    ::_exit(1);
  }
  writing.reset();
  std::uint64_t told = 0;
  char byte = 0;
  while (told < 200 && ::read(reading.get(), &byte, 1) == 1) ++told;
  ::kill(writer, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(writer, &status, 0) == writer);
  REQUIRE(WIFSIGNALED(status));
  while (::read(reading.get(), &byte, 1) == 1) ++told;
  CHECK(told >= 200);
  auto log = test::open_log(path);
  REQUIRE(log.has_value());
  CHECK(log->head().seq >= told);
  CHECK(verify_log(path).good());
}

}  // namespace
}  // namespace cordon

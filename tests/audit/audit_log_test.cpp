// The chain over its sinks: what a log says about itself, several sinks at once, and what fails.

#include "audit/audit_log.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <catch2/catch.hpp>

#include "audit/event_json.h"
#include "audit/sqlite.h"
#include "audit/sqlite_sink.h"
#include "audit/verify.h"
#include "tests/audit/file_size_limit.h"
#include "tests/audit/records.h"

namespace cordon {
namespace {

using Lines = std::vector<std::string>;

AuditLog open_or_fail(AuditLogOptions options, AuditLog::Clock clock = AuditLog::system_clock_ms) {
  auto log = AuditLog::open(std::move(options), std::move(clock));
  if (!log) FAIL(log.error());
  return std::move(*log);
}

void append(AuditLog& log, const char* target) {
  const auto event = log.append(test::record("filesystem.read", target));
  REQUIRE(event.has_value());
  CHECK(event->target == target);
}

// "operation reason" of the log's own records, "target" of the others.
Lines story(const std::filesystem::path& path) {
  Lines lines;
  for (const auto& line : test::lines_of(test::slurp(path))) {
    const auto event = parse_event(line);
    REQUIRE(event.has_value());
    lines.push_back(event->target ? *event->target : *event->operation);
  }
  return lines;
}

std::string error_of(AuditLogOptions options) {
  const auto log = AuditLog::open(std::move(options));
  REQUIRE_FALSE(log.has_value());
  return log.error();
}

TEST_CASE("a log says who writes it, once for every writer, and only when it has an event") {
  const test::ScratchDirectory directory;
  const AuditLogOptions options{.files = {directory / "log"}, .writer = "format=1 writer=a"};
  { open_or_fail(options); }
  CHECK(test::slurp(directory / "log").empty());
  for (int i = 0; i < 2; ++i) {
    auto log = open_or_fail(options);
    append(log, "/a");
    append(log, "/b");
  }
  CHECK(story(directory / "log") == Lines{"genesis", "/a", "/b", "resume", "/a", "/b"});
  const auto first = parse_event(test::lines_of(test::slurp(directory / "log"))[0]);
  CHECK(first->capability == "audit");
  CHECK(first->reason == "format=1 writer=a");
  CHECK(first->sandbox.empty());
  CHECK(verify_log(directory / "log").good());
}

TEST_CASE("a torn line that was cut off is mentioned") {
  const test::ScratchDirectory directory;
  const AuditLogOptions options{.files = {directory / "log"}, .writer = "w"};
  {
    auto log = open_or_fail(options);
    append(log, "/a");
  }
  test::spill(directory / "log", test::slurp(directory / "log") + "{\"v\":1");
  auto log = open_or_fail(options);
  append(log, "/b");
  const auto resumed = parse_event(test::lines_of(test::slurp(directory / "log"))[2]);
  CHECK(resumed->operation == "resume");
  CHECK(resumed->bytes == 6u);
}

TEST_CASE("checkpoints come after so many events, within a batch as well") {
  const test::ScratchDirectory directory;
  auto log = open_or_fail({.files = {directory / "log"}, .writer = "w", .checkpoint_every = 2});
  append(log, "/a");
  append(log, "/b");
  append(log, "/c");
  const std::vector batch = {test::record("filesystem.read", "/d"),
                             test::record("filesystem.read", "/e")};
  const auto events = log.write(batch);
  REQUIRE(events.has_value());
  REQUIRE(events->size() == 2);
  CHECK((*events)[1].target == "/e");
  CHECK(story(directory / "log") ==
        Lines{"genesis", "/a", "/b", "checkpoint", "/c", "/d", "/e", "checkpoint"});
  CHECK(log.head().seq == 8);
  CHECK(verify_log(directory / "log").checkpoints == 2);
}

TEST_CASE("events that could not be written are counted in the log once it can be written") {
  const test::ScratchDirectory directory;
  auto log = open_or_fail({.files = {directory / "log"}, .writer = "w"});
  append(log, "/a");
  {
    const test::FileSizeLimit limit(std::filesystem::file_size(directory / "log"));
    for (int i = 0; i < 3; ++i) CHECK_FALSE(log.append(test::record("execute")).has_value());
  }
  append(log, "/b");
  append(log, "/c");
  CHECK(story(directory / "log") == Lines{"genesis", "/a", "lost", "/b", "/c"});
  const auto lost = parse_event(test::lines_of(test::slurp(directory / "log"))[2]);
  CHECK(lost->count == 3u);
  CHECK(lost->outcome == SandboxAuditEvent::Outcome::kError);
  CHECK(log.lost() == 3);
  CHECK(verify_log(directory / "log").good());
}

TEST_CASE("a batch is written as a whole or not at all") {
  const test::ScratchDirectory directory;
  auto log = test::open_log(directory / "log");
  REQUIRE(log.has_value());
  append(*log, "/a");
  const std::string before = test::slurp(directory / "log");
  const std::vector batch(20, test::record("filesystem.read", "/b"));
  {
    const test::FileSizeLimit limit(before.size() + 3 * before.size());
    CHECK_FALSE(log->write(batch).has_value());
  }
  CHECK(test::slurp(directory / "log") == before);
  REQUIRE(log->write(batch).has_value());
  CHECK(verify_log(directory / "log").count == 21);
}

TEST_CASE("all sinks hold the same chain, durable or not") {
  const test::ScratchDirectory directory;
  int pipe_ends[2];
  REQUIRE(::pipe2(pipe_ends, O_CLOEXEC) == 0);
  const UniqueFd reading(pipe_ends[0]);
  const UniqueFd writing(pipe_ends[1]);
  auto log = open_or_fail({.files = {directory / "one", directory / "two"},
                           .databases = {directory / "db"},
                           .stream = writing.get(),
                           .durability = GENERATE(Durability::kProcess, Durability::kMachine),
                           .writer = "w"});
  append(log, "/a");
  append(log, "/b");
  const std::string text = test::slurp(directory / "one");
  CHECK(test::slurp(directory / "two") == text);
  std::string streamed(text.size() + 1, '\0');
  const ssize_t count = ::read(reading.get(), streamed.data(), streamed.size());
  CHECK(streamed.substr(0, static_cast<std::size_t>(count)) == text);
  for (const char* name : {"one", "two", "db"}) {
    CAPTURE(name);
    const auto report = verify_log(directory / name, {.expected_head = log.head().hash});
    CHECK(report.good());
    CHECK(report.count == 3);
  }
}

TEST_CASE("a sink that is behind is given what it lacks") {
  const test::ScratchDirectory directory;
  const auto file = directory / "log", database = directory / "db";
  SECTION("a new database beside a file, and a new file beside a database") {
    {
      auto log = open_or_fail({.files = {file}, .rotation = {.bytes = 1000}, .writer = "w"});
      for (int i = 0; i < 10; ++i) append(log, "/a");
    }
    { open_or_fail({.files = {file}, .databases = {database}}); }
    CHECK(verify_log(database).count == verify_log(file).count);
    { open_or_fail({.files = {directory / "copy"}, .databases = {database}}); }
    CHECK(verify_log(directory / "copy").head == verify_log(file).head);
    CHECK(test::slurp(directory / "copy") == test::slurp(file));
    CHECK(test::slurp(directory / "copy.000001") == test::slurp(directory / "log.000001"));
  }
  SECTION("one that a crash kept from the last event") {
    {
      auto log = open_or_fail({.files = {file}, .databases = {database}});
      append(log, "/a");
      append(log, "/b");
    }
    auto lines = test::lines_of(test::slurp(file));
    test::spill(file, lines[0] + "\n");
    auto log = open_or_fail({.files = {file}, .databases = {database}});
    append(log, "/c");
    CHECK(story(file) == Lines{"/a", "/b", "/c"});
    CHECK(verify_log(database).head == verify_log(file).head);
  }
}

TEST_CASE("sinks that hold different trails are refused, and left alone") {
  const test::ScratchDirectory directory;
  std::int64_t now = 1000;
  const auto clock = [&now] { return now++; };
  const int events = GENERATE(1, 2);
  for (const char* name : {"one", "two"}) {
    auto log = open_or_fail({.files = {directory / name}}, clock);
    for (int i = 0; i < (name == std::string("one") ? 2 : events); ++i) append(log, "/a");
  }
  const std::string before = test::slurp(directory / "two");
  const std::string error = error_of({.files = {directory / "one", directory / "two"}});
  CAPTURE(error);
  CHECK((error.find("another trail") != std::string::npos ||
         error.find("different trails") != std::string::npos));
  CHECK(test::slurp(directory / "two") == before);
}

TEST_CASE("when one sink fails, the others take the event back") {
  const test::ScratchDirectory directory;
  auto log = open_or_fail({.files = {directory / "log"}, .databases = {directory / "db"}});
  append(log, "/a");
  const std::string before = test::slurp(directory / "log");
  {
    // Somebody else writes the database.
    auto other = SqliteSink::open(directory / "db");
    REQUIRE(other.has_value());
    const auto event =
        next_event(*test::record("execute").read(), *(*other)->head(), 1'800'000'000'000);
    REQUIRE_FALSE((*other)->begin());
    REQUIRE_FALSE((*other)->append(event, ""));
    REQUIRE_FALSE((*other)->commit());
    const auto failed = log.append(test::record("filesystem.read", "/b"));
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().find("another process is writing it") != std::string::npos);
    CHECK(test::slurp(directory / "log") == before);
    (*other)->undo();
  }
  append(log, "/c");
  CHECK(verify_log(directory / "log").count == 2);
  CHECK(verify_log(directory / "db").head == verify_log(directory / "log").head);
}

TEST_CASE("a stream that cannot be written fails the event and repeats none") {
  const test::ScratchDirectory directory;
  int pipe_ends[2];
  REQUIRE(::pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) == 0);
  UniqueFd reading(pipe_ends[0]);
  const UniqueFd writing(pipe_ends[1]);
  ::signal(SIGPIPE, SIG_IGN);
  auto log = open_or_fail({.files = {directory / "log"}, .stream = writing.get()});
  append(log, "/a");
  reading.reset();
  CHECK_FALSE(log.append(test::record("filesystem.read", "/b")).has_value());
  CHECK_FALSE(log.append(test::record("filesystem.read", "/c")).has_value());
  // What was on its way to the stream when it failed is in the file; nothing came after it.
  CHECK(story(directory / "log") == Lines{"/a", "/b"});
  CHECK(verify_log(directory / "log").good());
}

TEST_CASE("only a database of Cordon's own is a trail") {
  const test::ScratchDirectory directory;
  const auto path = directory / "db";
  SECTION("another database") {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(database, "CREATE TABLE t (a)", nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
    CHECK(error_of({.databases = {path}}).find("not an audit trail") != std::string::npos);
  }
  SECTION("no database") {
    test::spill(path, std::string(5000, 'x'));
    CHECK(error_of({.databases = {path}}).find("not a database") != std::string::npos);
    CHECK(test::slurp(path) == std::string(5000, 'x'));
  }
  SECTION("a symbolic link") {
    test::spill(directory / "real", "");
    std::filesystem::create_symlink(directory / "real", path);
    CHECK(error_of({.databases = {path}}).find("symbolic link") != std::string::npos);
  }
}

TEST_CASE("whatever is changed in a database is found") {
  const test::ScratchDirectory directory;
  const auto path = directory / "db";
  {
    auto log = open_or_fail({.databases = {path}});
    for (int i = 0; i < 5; ++i) append(log, "/a");
  }
  REQUIRE(verify_log(path).good());
  const std::string change = GENERATE(
      "UPDATE events SET target = '/b' WHERE seq = 3", "UPDATE events SET bytes = 1 WHERE seq = 3",
      "UPDATE events SET outcome = 'odd' WHERE seq = 3", "DELETE FROM events WHERE seq = 3",
      "UPDATE events SET durationMs = 1 WHERE seq = 3", "UPDATE events SET seq = 9 WHERE seq = 3",
      "UPDATE events SET hash = lower(hex(randomblob(32))) WHERE seq = 3",
      "UPDATE events SET prev = 'x' WHERE seq = 3");
  CAPTURE(change);
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, change.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  const auto report = verify_log(path);
  REQUIRE(report.problem);
  CHECK(report.problem->line == 3);
  CHECK(report.count == 2);
}

TEST_CASE("a log that cannot be opened yet is opened later, where that is wanted") {
  const test::ScratchDirectory directory;
  std::filesystem::path path = directory / "later/log";
  CHECK(error_of({.files = {path}}).find("No such file") != std::string::npos);
  auto log = open_or_fail({.files = {path}, .writer = "w", .open_later = true});
  CHECK_FALSE(log.append(test::record("filesystem.read", "/a")).has_value());
  std::filesystem::create_directory(directory / "later");
  // It is not tried again at once.
  std::uint64_t failed = 1;
  while (!log.append(test::record("filesystem.read", "/b"))) ++failed;
  CHECK(story(path) == Lines{"genesis", "lost", "/b"});
  CHECK(parse_event(test::lines_of(test::slurp(path))[1])->count == failed);
}

}  // namespace
}  // namespace cordon

// Files that follow each other: when one ends, what a crash in between leaves, and what is noticed.

#include "audit/audit_log.h"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <optional>

#include "audit/event_json.h"
#include "audit/trail_reader.h"
#include "audit/verify.h"
#include "tests/audit/records.h"

namespace cordon {
namespace {

namespace fs = std::filesystem;

// A log of `files` files of a few events each.
class RotatedLog {
 public:
  explicit RotatedLog(int files) {
    auto log = open();
    while (count() < files) append(log);
  }

  AuditLog open(Rotation rotation = {.bytes = 1000}) const {
    auto log = AuditLog::open({.files = {path_}, .rotation = rotation, .writer = "w"});
    if (!log) FAIL(log.error());
    return std::move(*log);
  }
  static void append(AuditLog& log) {
    REQUIRE(log.append(test::record("filesystem.read", "/a")).has_value());
  }
  fs::path file(int number) const {
    return rotated_file(path_, static_cast<std::uint64_t>(number));
  }
  const fs::path& path() const { return path_; }
  int count() const {
    int files = 1;
    while (fs::exists(file(files))) ++files;
    return files;
  }
  VerifyReport verify() const { return verify_log(path_); }

 private:
  test::ScratchDirectory directory_;
  fs::path path_ = directory_ / "log";
};

void check_problem(const VerifyReport& report, LogProblem kind, const fs::path& file) {
  REQUIRE(report.problem);
  CAPTURE(report.problem->message);
  CHECK(std::string(to_string(report.problem->kind)) == to_string(kind));
  CHECK(report.problem->file == file);
}

TEST_CASE("a file that is long enough is followed by another one, and they are one chain") {
  const RotatedLog log(4);
  for (int number = 1; number < 4; ++number) {
    CAPTURE(number);
    const auto lines = test::lines_of(test::slurp(log.file(number)));
    CHECK(parse_event(lines.back())->operation == "rotate");
    CHECK(fs::file_size(log.file(number)) >= 1000);
  }
  const auto report = log.verify();
  CHECK(report.good());
  CHECK(report.files == 4);
  CHECK(report.head == parse_event(test::lines_of(test::slurp(log.path())).back())->hash);
}

TEST_CASE("a file that is old enough is followed by another one") {
  const test::ScratchDirectory directory;
  std::int64_t now = 1'000'000;
  AuditLogOptions options{.files = {directory / "log"}, .rotation = {.age_ms = 1000}};
  const auto append = [&] {
    // Opened anew each time: the age is that of the file, not of the writer.
    auto log = AuditLog::open(options, [&now] { return now; });
    REQUIRE(log.has_value());
    REQUIRE(log->append(test::record("execute")).has_value());
  };
  append();
  now += 999;
  append();
  CHECK_FALSE(fs::exists(directory / "log.000001"));
  now += 1;
  append();
  CHECK(fs::exists(directory / "log.000001"));
  CHECK(test::lines_of(test::slurp(directory / "log")).size() == 1);
  CHECK(verify_log(directory / "log").count == 4);
}

TEST_CASE("the next writer goes on, whatever a crash in the middle of a rotation left") {
  const RotatedLog log(2);
  const auto before = log.verify();
  SECTION("the file has its new name as well") {
    auto writer = log.open({.bytes = 1});
    RotatedLog::append(writer);  // a `rotate` record, and the event in the next file
    { const AuditLog closed = std::move(writer); }
    fs::remove(log.path());
    fs::create_hard_link(log.file(2), log.path());
  }
  SECTION("nothing was renamed yet") {
    auto writer = log.open({.bytes = 1});
    RotatedLog::append(writer);
    { const AuditLog closed = std::move(writer); }
    fs::rename(log.file(2), log.path());
  }
  SECTION("the next file has no line yet") {
    auto writer = log.open({.bytes = 1});
    RotatedLog::append(writer);
    { const AuditLog closed = std::move(writer); }
    test::spill(log.path(), "");
  }
  SECTION("the next file has a torn line and its own next one is left over") {
    auto writer = log.open({.bytes = 1});
    RotatedLog::append(writer);
    { const AuditLog closed = std::move(writer); }
    test::spill(log.path(), "{\"v\":1,\"seq\":1");
    test::spill(log.path().string() + ".next", "left over");
  }
  auto writer = log.open();
  RotatedLog::append(writer);
  RotatedLog::append(writer);
  CHECK(log.count() == 3);
  const auto report = log.verify();
  CHECK(report.good());
  // The `rotate` record, what this writer says of itself, and its two events.
  CHECK(report.count == before.count + 4);
  CHECK(report.files == 3);
}

TEST_CASE("while a file cannot be followed by another one, nothing is written") {
  const RotatedLog log(1);
  auto writer = log.open({.bytes = 1});
  RotatedLog::append(writer);
  const auto next = log.path().string() + ".next";
  fs::create_directory(next);
  const auto failed = writer.append(test::record("execute"));
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().find("next file") != std::string::npos);
  CHECK(log.verify().good());
  fs::remove(next);
  RotatedLog::append(writer);
  CHECK(log.verify().good());
  CHECK(log.count() == 2);
}

TEST_CASE("a predecessor that is not one keeps the log from going on") {
  const test::ScratchDirectory directory;
  test::spill(directory / "log.000001", test::good_log(3));
  const auto log = AuditLog::open({.files = {directory / "log"}});
  REQUIRE_FALSE(log.has_value());
  CHECK(log.error().find("log.000001: it does not end in a `rotate` record") != std::string::npos);
}

TEST_CASE("what happens to files of a trail is found") {
  const RotatedLog log(4);
  SECTION("two are swapped") {
    fs::rename(log.file(1), log.path().string() + ".x");
    fs::rename(log.file(2), log.file(1));
    fs::rename(log.path().string() + ".x", log.file(2));
    check_problem(log.verify(), LogProblem::kSequence, log.file(1));
  }
  SECTION("one is that of another log") {
    std::optional<RotatedLog> other;
    // Made within the same millisecond, it would be the same log.
    do {
      other.emplace(4);
    } while (test::slurp(other->file(2)) == test::slurp(log.file(2)));
    fs::copy_file(other->file(2), log.file(2), fs::copy_options::overwrite_existing);
    const auto report = log.verify();
    REQUIRE(report.problem);
    CHECK((report.problem->kind == LogProblem::kPrev ||
           report.problem->kind == LogProblem::kSequence ||
           report.problem->kind == LogProblem::kTime));
    CHECK(report.problem->line == 1);
  }
  SECTION("one is removed") {
    fs::remove(log.file(2));
    check_problem(log.verify(), LogProblem::kSequence, log.path());
  }
  SECTION("the first is removed") {
    fs::remove(log.file(1));
    check_problem(log.verify(), LogProblem::kSequence, log.path());
  }
  SECTION("one is cut") {
    auto lines = test::lines_of(test::slurp(log.file(2)));
    lines.pop_back();
    test::spill(log.file(2), test::joined(lines));
    check_problem(log.verify(), LogProblem::kSequence, log.file(3));
  }
  SECTION("one ends in half a line") {
    fs::resize_file(log.file(2), fs::file_size(log.file(2)) - 5);
    check_problem(log.verify(), LogProblem::kTornTail, log.file(2));
  }
}

TEST_CASE("a reader at the end finds what came since, several files later") {
  const RotatedLog log(2);
  auto reader = TrailReader::open(log.path());
  REQUIRE(reader.has_value());
  std::uint64_t lines = 0;
  const auto read_on = [&] {
    reader->resume();
    while (const auto line = reader->next()) {
      REQUIRE(line->line.kind == LogReader::Kind::kLine);
      REQUIRE(parse_event(line->line.text)->seq == ++lines);
    }
  };
  read_on();
  auto writer = log.open();
  for (int i = 0; i < 40; ++i) {
    RotatedLog::append(writer);
    if (i % 7 == 0) read_on();
  }
  read_on();
  CHECK(lines == log.verify().count);
}

}  // namespace
}  // namespace cordon

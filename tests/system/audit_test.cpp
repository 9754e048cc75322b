// The audit trail of real calls: full disks, levels of durability, subscribers, and a host that is
// killed.

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <random>
#include <set>

#include "audit/event_reader.h"
#include "audit/verify.h"
#include "messages/unique_fd.h"
#include "tests/audit/file_size_limit.h"
#include "tests/system/world.h"

extern char** environ;

using namespace cordon;
using test::World;

namespace {

const char* const kReader = R"(import { environment } from 'fino:ai/sandbox/capabilities';
export default async () => {
  const value = await environment('MODE');
  console.log('saw it');
  return value;
};)";

AISandboxOptions with_mode() {
  AISandboxOptions options;
  options.environment["MODE"] = "x";
  return options;
}

std::vector<SandboxAuditEvent> events_of(const std::filesystem::path& path) {
  auto reader = EventReader::open(path);
  REQUIRE(reader.has_value());
  std::vector<SandboxAuditEvent> events;
  while (auto event = reader->next()) events.push_back(std::move(*event));
  CHECK_FALSE(reader->error());
  return events;
}

TEST_CASE("every level of durability keeps every event, in every sink") {
  const test::ScratchDirectory directory;
  RuntimeOptions options;
  options.audit.files = {directory / "log"};
  options.audit.databases = {directory / "db"};
  options.audit.durability =
      GENERATE(AuditDurability::kNone, AuditDurability::kGroup, AuditDurability::kEach);
  std::string head;
  {
    World world(options);
    for (int i = 0; i < 3; ++i) {
      CHECK(world.run(kReader, with_mode()).status == Status::kOk);
    }
    CHECK(world.events().size() == 6);
    head = world.runtime.audit_head();
    CHECK(head == world.events().back().hash);
  }
  for (const char* name : {"log", "db"}) {
    CHECK(verify_log(directory / name, {.expected_head = head}).good());
    CHECK(events_of(directory / name).size() == 7);
  }
}

TEST_CASE("a full disk ends calls as audit_failed, and they go on once there is room") {
  const test::ScratchDirectory directory;
  RuntimeOptions options;
  options.audit_file = directory / "log";
  options.audit.durability = GENERATE(AuditDurability::kNone, AuditDurability::kGroup);
  {
    World world(options);
    CHECK(world.run(kReader, with_mode()).status == Status::kOk);
    {
      const test::FileSizeLimit limit(std::filesystem::file_size(directory / "log"));
      const Outcome outcome = world.run(kReader, with_mode());
      CHECK(outcome.status == Status::kAuditFailed);
      CHECK(outcome.console.empty());  // the guest did not see the reply
    }
    CHECK(world.runtime.audit_lost() >= 2);
    CHECK(world.run(kReader, with_mode()).status == Status::kOk);
    CHECK(world.events().size() == 4);
  }
  CHECK(verify_log(directory / "log").good());
  const auto events = events_of(directory / "log");
  REQUIRE(events.size() == 6);
  CHECK(events[3].operation == "lost");
  CHECK(events[3].count >= 2u);
}

TEST_CASE("a best-effort trail lets calls go on, and says what it lacks") {
  const test::ScratchDirectory directory;
  RuntimeOptions options;
  options.audit_file = directory / "log";
  options.audit.best_effort = true;
  {
    World world(options);
    CHECK(world.run(kReader, with_mode()).status == Status::kOk);
    {
      const test::FileSizeLimit limit(std::filesystem::file_size(directory / "log"));
      CHECK(world.run(kReader, with_mode()).status == Status::kOk);
    }
    CHECK(world.runtime.audit_lost() == 2);
    CHECK(world.run(kReader, with_mode()).status == Status::kOk);
  }
  CHECK(verify_log(directory / "log").good());
  CHECK(events_of(directory / "log")[3].count == 2u);
}

TEST_CASE("a log that cannot be opened keeps the runtime from starting") {
  RuntimeOptions options;
  SECTION("its directory is not there") { options.audit_file = "/nonexistent/log"; }
  SECTION("it is a device") { options.audit_file = "/dev/null"; }
  SECTION("its signing key is not there") {
    options.audit.standard_output = true;
    options.audit.signing_key = "/nonexistent/key.pem";
  }
  CHECK_THROWS_AS(Runtime(options), AuditUnavailable);
}

TEST_CASE("subscribers inside the process see events as far as their credits go") {
  World world;
  std::vector<std::string> seen;
  auto all = world.runtime.subscribe([&](const auto& event) { seen.push_back(event.hash); }, 100);
  auto few = world.runtime.subscribe([](const auto&) {}, 1);
  CHECK(world.run(kReader, with_mode()).status == Status::kOk);
  std::vector<std::string> hashes;
  for (const auto& event : world.events()) hashes.push_back(event.hash);
  CHECK(seen == hashes);
  CHECK(all.dropped() == 0);
  CHECK(few.dropped() == 1);
}

// ---------------------------------------------------------------------- a host that is killed

class AuditedHost {
 public:
  AuditedHost(const std::filesystem::path& log, const char* level, const char* sinks) {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    out_.reset(ends[0]);
    const UniqueFd writing(ends[1]);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, writing.get(), STDOUT_FILENO);
    std::string path = CORDON_AUDITED_HOST, file = log, durability = level, which = sinks;
    char* arguments[] = {path.data(), file.data(), durability.data(), which.data(), nullptr};
    REQUIRE(::posix_spawn(&pid_, path.c_str(), &actions, nullptr, arguments, environ) == 0);
    ::posix_spawn_file_actions_destroy(&actions);
  }

  // Kills it once it has told `count` names; returns all that it told.
  std::vector<std::string> kill_after(std::size_t count) {
    while (told() < count && read_more()) {
    }
    CHECK(told() >= count);
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    CHECK(WIFSIGNALED(status));
    while (read_more()) {
    }
    std::vector<std::string> names;
    std::istringstream in(text_);
    for (std::string name; std::getline(in, name);) names.push_back(name);
    if (!text_.ends_with('\n') && !names.empty()) names.pop_back();
    return names;
  }

 private:
  std::size_t told() const {
    return static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
  }
  bool read_more() {
    char buffer[4096];
    const ssize_t count = ::read(out_.get(), buffer, sizeof buffer);
    if (count > 0) text_.append(buffer, static_cast<std::size_t>(count));
    return count > 0;
  }
  pid_t pid_ = -1;
  UniqueFd out_;
  std::string text_;
};

// Names that the log's events are about; of a path, its last part.
std::set<std::string> recorded(const std::filesystem::path& log) {
  std::set<std::string> names;
  for (const auto& event : events_of(log)) {
    if (event.target) names.insert(event.target->substr(event.target->rfind('/') + 1));
  }
  return names;
}

int rounds() {
  const char* const wanted = std::getenv("CORDON_KILL_ROUNDS");
  return wanted != nullptr ? std::atoi(wanted) : 4;
}

TEST_CASE("what a guest saw is in the log, whenever its host is killed") {
  const auto [level, sinks] = GENERATE(table<const char*, const char*>(
      {{"none", "files"}, {"group", "files"}, {"each", "files"}, {"group", "both"}}));
  CAPTURE(level, sinks);
  const test::ScratchDirectory directory;
  std::filesystem::create_directory(directory / "written");
  const std::filesystem::path log = directory / "log";
  std::mt19937 random(std::random_device{}());
  std::set<std::string> told;
  for (int round = 0; round < rounds(); ++round) {
    AuditedHost host(log, level, sinks);
    const auto names = host.kill_after(1 + random() % 150);
    told.insert(names.begin(), names.end());
    // A writer cuts off the line that the kill may have torn.
    const auto report = verify_log(log);
    REQUIRE((report.good() || report.problem->kind == LogProblem::kTornTail));
  }
  { Runtime next({.audit = {.files = {log}}}); }
  CHECK(verify_log(log).good());
  const auto names = recorded(log);
  for (const std::string& name : told) {
    CAPTURE(name);
    REQUIRE(names.count(name) == 1);
  }
  if (std::string(sinks) == "both") CHECK(verify_log(log.string() + ".db").good());
}

}  // namespace

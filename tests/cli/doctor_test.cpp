// `cordon doctor` end to end: this host passes, a host without one mechanism fails by its name and
// runs no guest.

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "engine/seccomp_filter.h"
#include "messages/unique_fd.h"

using cordon::UniqueFd;
using nlohmann::json;

namespace {

namespace engine = cordon::engine;

constexpr int kSkip = 77;

struct Examined {
  int code = -1;
  std::string out;
};

// `cordon doctor --json` in a process that `prepare` has changed; false there: skip.
Examined examine(const std::function<bool()>& prepare, bool without_commands = false) {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    if (!prepare() || ::access(CORDON_EXECUTABLE, X_OK) != 0) ::_exit(kSkip);
    ::execl(CORDON_EXECUTABLE, "cordon", "doctor", "--json",
            without_commands ? "--without-commands" : nullptr, nullptr);
    ::_exit(kSkip);
  }
  ::close(ends[1]);
  const UniqueFd from(ends[0]);
  Examined examined;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(from.get(), buffer.data(), buffer.size())) > 0;) {
    examined.out.append(buffer.data(), static_cast<std::size_t>(count));
  }
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  examined.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return examined;
}

bool skipped(const Examined& examined) {
  if (examined.code != kSkip) return false;
  // This word makes CTest report the test as skipped.
  std::cout << "cordon-test-skipped: the command cannot be run that way here" << std::endl;
  return true;
}

bool become_nobody() {
  constexpr uid_t kNobody = 65534;
  return ::geteuid() != 0 ||
         (::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
          ::setresuid(kNobody, kNobody, kNobody) == 0);
}

std::function<bool()> refuse(engine::SyscallRule rule) {
  return [rule] {
    engine::SyscallPolicy policy;
    policy.otherwise = engine::SyscallAction::kAllow;
    policy.rules.push_back(rule);
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           engine::install(engine::assemble(policy));
  };
}

std::function<bool()> refuse(long call) {
  return refuse({static_cast<int>(call), engine::SyscallAction::kRefuse});
}

std::set<std::string> groups(const json& report, const std::string& result) {
  std::set<std::string> found;
  for (const json& each : report["mechanisms"]) {
    if (each["result"] == result) found.insert(each["where"]);
  }
  return found;
}

json mechanism(const json& report, const std::string& where, const std::string& name) {
  for (const json& each : report["mechanisms"]) {
    if (each["where"] == where && each["name"] == name) return each;
  }
  return {};
}

// Then there is nothing that a cgroup namespace could hide.
bool is_in_root_of_all_groups() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.ends_with(":/")) return false;
  }
  return true;
}

void check_passes(const Examined& examined) {
  INFO(examined.out);
  REQUIRE(examined.code == 0);
  const json report = json::parse(examined.out);
  CHECK(report["holds"] == true);
  CHECK(groups(report, "held") == std::set<std::string>{"alone", "engine", "program", "command"});
  for (const json& each : report["mechanisms"]) {
    INFO(each.dump());
    CHECK((each["result"] == "held" || (each["result"] == "missing" && each["required"] == false)));
    CHECK_FALSE(each["tried"].get<std::string>().empty());
    CHECK_FALSE(each["mechanism"].get<std::string>().empty());
    // Each attempt was one: it succeeds here without the mechanism.
    if (each["name"] == "cgroup namespace" && is_in_root_of_all_groups()) continue;
    CHECK(each["detail"].get<std::string>().find("even without") == std::string::npos);
    if (each["result"] != "held") CHECK_FALSE(each["remedy"].get<std::string>().empty());
  }
  CHECK(report["mechanisms"].size() > 45);
  CHECK(mechanism(report, "command", "memory over the tree")["required"] == false);
}

void check_missing(const Examined& examined, const std::string& name, const std::string& of,
                   const std::string& remedy) {
  INFO(examined.out);
  REQUIRE(examined.code == 3);
  const json report = json::parse(examined.out);
  CHECK(report["holds"] == false);
  const json missing = mechanism(report, "alone", name);
  CHECK(missing["result"] == "missing");
  CHECK(missing["mechanism"] == of);
  CHECK(missing["remedy"].get<std::string>().find(remedy) != std::string::npos);
  // No program, no command, and not the lockdown as a whole.
  CHECK(groups(report, "held") == std::set<std::string>{"alone"});
  CHECK(groups(report, "notTried") == std::set<std::string>{"program"});
}

}  // namespace

TEST_CASE("doctor passes where the sandbox can be had") {
  const Examined examined = examine([] { return true; });
  if (!skipped(examined)) check_passes(examined);
}

TEST_CASE("doctor passes as an ordinary user as well") {
  const Examined examined = examine(become_nobody);
  if (skipped(examined)) return;
  check_passes(examined);
  CHECK(json::parse(examined.out)["root"] == false);
}

TEST_CASE("doctor names what is missing, with a remedy, and runs no guest") {
  check_missing(examine(refuse(SYS_unshare)), "user namespace", "user namespace",
                "user.max_user_namespaces");
  check_missing(examine(refuse(SYS_landlock_create_ruleset)), "landlock read", "landlock",
                "CONFIG_SECURITY_LANDLOCK");
  check_missing(examine(refuse(SYS_seccomp)), "seccomp", "seccomp", "CONFIG_SECCOMP_FILTER");
  check_missing(examine(refuse(SYS_pivot_root)), "mount view", "mount view", "mount");
}

TEST_CASE("doctor tells a host without commands from one without sandbox") {
  // bubblewrap makes its namespaces with clone(), the engine with unshare().
  const auto without =
      refuse({SYS_clone, engine::SyscallAction::kRefuse, {{0, CLONE_NEWNS, CLONE_NEWNS}}});
  const Examined examined = examine(without);
  if (skipped(examined)) return;
  INFO(examined.out);
  CHECK(examined.code == 3);
  const json report = json::parse(examined.out);
  CHECK(groups(report, "held") == std::set<std::string>{"alone", "engine", "program"});
  const json start = mechanism(report, "command", "start");
  CHECK(start["result"] == "missing");
  CHECK(start["mechanism"] == "bubblewrap");
  CHECK_FALSE(start["remedy"].get<std::string>().empty());
  CHECK(examine(without, true).code == 0);
}

namespace {

// Bounded.
bool wait_until(const std::function<bool()>& holds) {
  using Clock = std::chrono::steady_clock;
  for (const auto until = Clock::now() + std::chrono::seconds(60); Clock::now() < until;) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

// The mode of the segment of shared memory that a process has made; empty: there is none.
std::string memory_shared_by(pid_t maker) {
  std::ifstream segments("/proc/sysvipc/shm");
  for (std::string line; std::getline(segments, line);) {
    std::istringstream fields(line);
    std::string key, id, mode, size, pid;
    fields >> key >> id >> mode >> size >> pid;
    if (pid == std::to_string(maker)) return mode;
  }
  return "";
}

}  // namespace

TEST_CASE("a doctor that is killed leaves no bait behind") {
  namespace fs = std::filesystem;
  std::string temporary = (fs::temp_directory_path() / "cordon-test-XXXXXX").string();
  REQUIRE(::mkdtemp(temporary.data()) != nullptr);
  const pid_t doctor = ::fork();
  REQUIRE(doctor >= 0);
  if (doctor == 0) {
    ::setenv("TMPDIR", temporary.c_str(), 1);
    const UniqueFd nowhere(::open("/dev/null", O_WRONLY));
    ::dup2(nowhere.get(), STDOUT_FILENO);
    ::execl(CORDON_EXECUTABLE, "cordon", "doctor", nullptr);
    ::_exit(kSkip);
  }
  // 1 is SHM_DEST: it goes with its last user.
  CHECK(wait_until([&] { return memory_shared_by(doctor) == "1666"; }));
  CHECK_FALSE(fs::is_empty(temporary));
  REQUIRE(::kill(doctor, SIGKILL) == 0);
  REQUIRE(::waitpid(doctor, nullptr, 0) == doctor);
  CHECK(wait_until([&] { return fs::is_empty(temporary); }));
  // A process that it was just starting may have it a moment longer.
  CHECK(wait_until([&] { return memory_shared_by(doctor).empty(); }));
  fs::remove_all(temporary);
}

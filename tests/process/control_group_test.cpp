// Control groups: found in made-up listings of /proc, and made for real where that is possible.

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "capabilities/process/control_group.h"
#include "tests/process/sandboxed.h"

using namespace cordon;
using namespace cordon::test;
using Controller = ControlGroups::Controller;
namespace fs = std::filesystem;

namespace {

// A tree that looks like control groups: plain files.
class MadeUp {
 public:
  void mount(const std::string& type, const std::string& at, const std::string& options) {
    std::string place = tree_ / at;
    for (std::size_t space; (space = place.find(' ')) != std::string::npos;)
      place.replace(space, 1, "\\040");
    mounts_ += "30 24 0:26 / " + place + " rw - " + type + " none " + options + "\n";
    fs::create_directories(tree_ / at);
  }
  void group(const std::string& line) { groups_ += line + "\n"; }
  std::string file(const std::string& path, const std::string& text = "") {
    return tree_.write(path, text);
  }
  std::string read(const std::string& path) const { return tree_.read(path); }
  std::string path(const std::string& name) const { return tree_ / name; }
  ControlGroups detect() {
    tree_.write("proc/mountinfo", mounts_);
    tree_.write("proc/cgroup", groups_);
    return *ControlGroups::detect(tree_ / "proc");
  }

 private:
  TemporaryDirectory tree_;
  std::string mounts_;
  std::string groups_;
};

std::string found(const ControlGroups& groups, Controller controller) {
  return groups.mechanism(controller).value_or("none");
}

}  // namespace

TEST_CASE("version 1: each controller where it is mounted, beneath the host's own group") {
  MadeUp host;
  host.mount("cgroup", "its memory", "rw,memory");
  host.mount("cgroup", "cpu", "rw,cpu,cpuacct");
  host.mount("cgroup2", "unified", "rw");
  host.group("4:memory:/own");
  host.group("1:cpu,cpuacct:/");
  host.group("0::/");
  host.file("its memory/own/cgroup.procs");
  host.file("unified/cgroup.subtree_control");
  host.file("unified/cgroup.procs");
  const ControlGroups groups = host.detect();
  CHECK(found(groups, Controller::kMemory) == "cgroup v1");
  CHECK(found(groups, Controller::kCpu) == "cgroup v1");
  CHECK(found(groups, Controller::kPids) == "none");
}

TEST_CASE("version 2: beneath the own group if it offers controllers, else beside it") {
  MadeUp host;
  host.mount("cgroup2", "unified", "rw,nsdelegate");
  host.group("0::/user/scope");
  host.file("unified/user/scope/cgroup.subtree_control", "\n");
  host.file("unified/user/scope/cgroup.procs");
  host.file("unified/user/cgroup.subtree_control", "memory pids\n");
  host.file("unified/user/cgroup.procs");
  const ControlGroups beside = host.detect();
  CHECK(found(beside, Controller::kMemory) == "cgroup v2");
  CHECK(found(beside, Controller::kPids) == "cgroup v2");
  CHECK(found(beside, Controller::kCpu) == "none");
  host.file("unified/user/scope/cgroup.subtree_control", "cpu\n");
  CHECK(found(host.detect(), Controller::kCpu) == "cgroup v2");
}

TEST_CASE("a host without control groups, or with another's, has none") {
  MadeUp host;
  CHECK(found(host.detect(), Controller::kMemory) == "none");
  host.mount("cgroup2", "unified", "rw");
  host.group("0::/../elsewhere");
  CHECK(found(host.detect(), Controller::kMemory) == "none");
}

TEST_CASE("groups of dead hosts are swept, others stay") {
  MadeUp host;
  host.mount("cgroup", "pids", "rw,pids");
  host.group("8:pids:/");
  struct stat space {};
  REQUIRE(::stat("/proc/self/ns/pid", &space) == 0);
  const std::string prefix = "pids/cordon-" + std::to_string(space.st_ino) + "-";
  const std::string dead = prefix + "1-999999999999-0";       // a pid that is another's now
  const std::string gone = prefix + "4194399-5-0";            // a pid beyond the kernel's largest
  const std::string elsewhere = "pids/cordon-1-4194399-5-0";  // of another pid namespace
  const std::string others = "pids/user.slice";
  for (const std::string& name : {dead, gone, elsewhere, others}) {
    fs::create_directories(host.path(name));
  }
  host.detect();
  CHECK_FALSE(fs::exists(host.path(dead)));
  CHECK_FALSE(fs::exists(host.path(gone)));
  CHECK(fs::exists(host.path(elsewhere)));
  CHECK(fs::exists(host.path(others)));
}

namespace {

std::string first_word(const fs::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

fs::path quota_file(const fs::path& group) {
  return group / (fs::exists(group / "cpu.max") ? "cpu.max" : "cpu.cfs_quota_us");
}

}  // namespace

TEST_CASE("a CPU quota is lifted before its processes are killed, and where a dead host's die") {
  const ControlGroups groups = *ControlGroups::detect();
  if (!groups.mechanism(Controller::kCpu)) {
    WARN("skipped: no cpu control group can be made here");
    return;
  }
  auto group = groups.make({.memory_bytes = {}, .processes = {}, .cpus = 0.25});
  REQUIRE(group.has_value());
  const fs::path own = fs::read_symlink("/proc/self/fd/" + std::to_string(group->quota_file()));
  CHECK(first_word(own) == "25000");
  group->lift_quota();
  CHECK(first_word(own) == group->unlimited_cpu());

  struct stat space {};
  REQUIRE(::stat("/proc/self/ns/pid", &space) == 0);
  const fs::path dead =
      own.parent_path().parent_path() / ("cordon-" + std::to_string(space.st_ino) + "-4194399-5-0");
  REQUIRE(fs::create_directory(dead));
  std::ofstream(quota_file(dead)) << 25000;
  CHECK(first_word(quota_file(dead)) == "25000");
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  std::ofstream(dead / "cgroup.procs") << child;
  ControlGroups::detect();
  CHECK(first_word(quota_file(dead)) == group->unlimited_cpu());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ControlGroups::detect();
  CHECK_FALSE(fs::exists(dead));
}

TEST_CASE("a group is made with its limits and removed with its handle") {
  const ControlGroups groups = *ControlGroups::detect();
  if (!groups.mechanism(Controller::kPids) || !groups.mechanism(Controller::kMemory)) {
    WARN("skipped: no control groups can be made here");
    return;
  }
  std::vector<fs::path> directories;
  {
    auto group = groups.make({.memory_bytes = 32 << 20, .processes = 3, .cpus = {}});
    REQUIRE(group.has_value());
    for (const int file : group->process_files()) {
      directories.push_back(
          fs::read_symlink("/proc/self/fd/" + std::to_string(file)).parent_path());
    }
    REQUIRE(!directories.empty());
    for (const auto& directory : directories) CHECK(fs::exists(directory));
    CHECK(group->out_of_memory_kills() == 0);
  }
  for (const auto& directory : directories) CHECK_FALSE(fs::exists(directory));
}

// A host that lacks one mechanism: the start fails, names it, and nothing is left running.

#include <fcntl.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cerrno>

#include "actors/process/engine_process.h"
#include "engine/seccomp_filter.h"
#include "messages/exit_codes.h"
#include "messages/unique_fd.h"
#include "tests/engine/harness.h"
#include "tests/support/forked_process.h"
#include "tests/support/sanitized.h"

using namespace cordon;
using namespace cordon::test;

namespace {

constexpr uid_t kNobody = 65534;

// Processes that this one has not reaped.
bool has_children() { return ::waitpid(-1, nullptr, WNOHANG | __WALL) >= 0; }

// What start() says: the mechanism, or "started". A failure must have words, a remedy, and left
// nothing behind.
std::string start(const char* executable = CORDON_PROBE_ENGINE) {
  EngineProcessOptions options;
  options.executable = executable;
  options.arguments = {"zygote"};
  const auto process = EngineProcess::start(options);
  if (process) return "started";
  if (process.error().message.empty()) return "no message";
  if (process.error().remedy.empty()) return process.error().mechanism + " without a remedy";
  if (has_children()) return process.error().mechanism + " and a process is left";
  return process.error().mechanism;
}

// Makes `calls` fail with EACCES for this process and what it starts.
void refuse(std::initializer_list<int> calls) {
  engine::SyscallPolicy policy;
  policy.otherwise = engine::SyscallAction::kAllow;
  for (const int call : calls) policy.rules.push_back({call, engine::SyscallAction::kRefuse});
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) ::_exit(1);
  if (!engine::install(engine::assemble(policy))) ::_exit(1);
}

// Makes `calls` fail with ENOSYS for this process and what it starts.
void lack(std::initializer_list<int> calls) {
  engine::SyscallPolicy policy;
  policy.otherwise = engine::SyscallAction::kAllow;
  for (const int call : calls) policy.rules.push_back({call, engine::SyscallAction::kRefuse});
  engine::SeccompFilter filter = engine::assemble(policy);
  for (sock_filter& step : filter) {
    if (step.k == (SECCOMP_RET_ERRNO | EACCES)) step.k = SECCOMP_RET_ERRNO | ENOSYS;
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !engine::install(filter)) ::_exit(1);
}

bool write_text(const std::string& path, const std::string& text) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool become_nobody() {
  return ::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
         ::setresuid(kNobody, kNobody, kNobody) == 0 && ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

// As root of a user namespace of its own, whose only id is an ordinary user outside. There `limit`,
// if any, is 0.
std::string start_with_limit(const std::string& limit) {
  return in_forked_process([&] {
    if (::geteuid() == 0 && !become_nobody()) return std::string("skip");
    const std::string uid = "0 " + std::to_string(::geteuid()) + " 1";
    const std::string gid = "0 " + std::to_string(::getegid()) + " 1";
    if (::unshare(CLONE_NEWUSER) != 0) return std::string("skip");
    if (!write_text("/proc/self/setgroups", "deny") || !write_text("/proc/self/gid_map", gid) ||
        !write_text("/proc/self/uid_map", uid)) {
      return std::string("skip");
    }
    if (!limit.empty() && !write_text("/proc/sys/user/" + limit, "0")) return std::string("skip");
    return start();
  });
}

std::string start_without(std::initializer_list<int> calls) {
  return in_forked_process([&] {
    refuse(calls);
    return start();
  });
}

void check_or_skip(const std::string& said, const std::string& expected) {
  if (said == "skip") {
    WARN("skipped: this test needs to make a user namespace with limits of its own");
    return;
  }
  CHECK(said == expected);
}

}  // namespace

TEST_CASE("a host that lacks nothing starts") {
  CHECK(in_forked_process([] { return start(); }) == "started");
}

TEST_CASE("a zygote may be ready before its launcher has told of it") {
  CHECK(start(CORDON_EAGER_ENGINE) == "started");
}

TEST_CASE("an ordinary user can start, limit and reap children as well") {
  CHECK(in_forked_process([] {
          if (::geteuid() == 0 && !become_nobody()) return std::string("still root");
          IoThread io;
          auto client = ZygoteClient::start(io.io, probe_options());
          if (!client) return client.error().mechanism;
          ChildProcess child = fork_child(**client);
          const rlim_t bytes = child.base_data_bytes + (rlim_t{32} << 20);
          const rlimit limit{bytes, bytes};
          if (::prlimit(child.pid, RLIMIT_DATA, &limit, nullptr) != 0)
            return std::string("prlimit");
          const bool unprivileged = proc_line(child.pid, "status", "CapEff:") == "0000000000000000";
          const bool limited =
              run_probe(std::move(child), "fill memory").end.code == kExitOutOfMemory;
          io.stop();
          return std::string(unprivileged && limited ? "as root does" : "otherwise");
        }) == "as root does");
}

TEST_CASE("the root of a container of one user starts as well") {
  check_or_skip(start_with_limit(""), "started");
}

TEST_CASE("a root that has no unprivileged user to become does not start") {
  check_or_skip(in_forked_process([] {
                  if (::geteuid() != 0 || ::unshare(CLONE_NEWUSER) != 0 ||
                      !write_text("/proc/self/setgroups", "deny") ||
                      !write_text("/proc/self/gid_map", "0 0 1") ||
                      !write_text("/proc/self/uid_map", "0 0 1")) {
                    return std::string("skip");
                  }
                  return start();
                }),
                "id map");
}

TEST_CASE("each missing namespace is named") {
  check_or_skip(start_with_limit("max_user_namespaces"), "user namespace");
  check_or_skip(start_with_limit("max_mnt_namespaces"), "mount namespace");
  check_or_skip(start_with_limit("max_net_namespaces"), "network namespace");
  check_or_skip(start_with_limit("max_ipc_namespaces"), "IPC namespace");
  check_or_skip(start_with_limit("max_uts_namespaces"), "UTS namespace");
  check_or_skip(start_with_limit("max_cgroup_namespaces"), "cgroup namespace");
  check_or_skip(start_with_limit("max_pid_namespaces"), "PID namespace");
}

TEST_CASE("each missing mechanism is named") {
  CHECK(start_without({SYS_unshare}) == "user namespace");
  CHECK(start_without({SYS_mount}) == "mount view");
  CHECK(start_without({SYS_pivot_root}) == "mount view");
  CHECK(start_without({SYS_capset}) == "capabilities");
  CHECK(start_without({SYS_landlock_create_ruleset}) == "landlock");
  CHECK(start_without({SYS_landlock_restrict_self}) == "landlock");
  CHECK(start_without({SYS_seccomp}) == "seccomp");
  CHECK(start_without({SYS_landlock_add_rule}) == "started");  // the engine gets no right at all
  CHECK(start_without({SYS_umount2}) == "mount view");
  CHECK(start_without({SYS_prlimit64}) == "resource limits");
  // Root needs a helper for the id map before.
  CHECK(start_without({SYS_clone}) == (::geteuid() == 0 ? "id map" : "PID namespace"));
}

TEST_CASE("an engine that is not there, is another program, or does not start, is named") {
  CHECK(start("/nonexistent/cordon-engine") == "engine executable");
  CHECK(start("/bin/true") == "engine");
  CHECK(start("/bin/cat") == "engine");
  CHECK(start(CORDON_FAILING_ENGINE) == "engine");
  CHECK(start(CORDON_CRASHING_ENGINE) == "engine");
  CHECK(start(CORDON_THREADED_ENGINE) == "engine");
}

TEST_CASE("an engine of another build is refused by its host") {
  EngineProcessOptions options;
  options.executable = CORDON_OTHER_BUILD_ENGINE;
  options.arguments = {"zygote"};
  const auto process = EngineProcess::start(options);
  REQUIRE(process.has_error());
  CHECK(process.error().mechanism == "engine build");
  CHECK(process.error().message == "cordon-engine is of build of-another-time");
  CHECK(process.error().remedy.find("install the one of build ") == 0);
  CHECK_FALSE(has_children());
}

TEST_CASE("a kernel without a mechanism is told like one that refuses it") {
  // A call that the kernel does not know, as before Landlock or without CONFIG_SECCOMP_FILTER.
  CHECK(in_forked_process([] {
          lack({SYS_landlock_create_ruleset});
          return start();
        }) == "landlock");
  CHECK(in_forked_process([] {
          lack({SYS_seccomp});
          return start();
        }) == "seccomp");
}

TEST_CASE("an engine that is short of memory says which limit to raise") {
  if (test::kSanitized) {
    WARN("skipped: a sanitizer needs address space of its own");
    return;
  }
  const auto remedy = [](rlim_t bytes) {
    return in_forked_process([&] {
      const rlimit limit{bytes, RLIM_INFINITY};
      if (::setrlimit(RLIMIT_AS, &limit) != 0) return std::string("setrlimit failed");
      EngineProcessOptions options;
      options.executable = CORDON_ENGINE;
      options.arguments = {"zygote"};
      const auto process = EngineProcess::start(options);
      return process ? std::string("started") : process.error().remedy;
    });
  };
  CHECK(remedy(RLIM_INFINITY) == "started");
  CHECK(remedy(rlim_t{1} << 30)
            .find("raise the limit of address space (RLIMIT_AS, ulimit -v, now "
                  "1048576 KiB), or ") == 0);
}

TEST_CASE("a start has a deadline") {
  EngineProcessOptions options;
  options.executable = "/bin/sleep";
  options.arguments = {"60"};
  options.deadline = std::chrono::milliseconds(50);
  const auto process = EngineProcess::start(options);
  REQUIRE(process.has_error());
  CHECK(process.error().mechanism == "engine");
}

TEST_CASE("the client passes the reason on") {
  boost::asio::io_context io;
  const auto client = ZygoteClient::start(io, {.executable = CORDON_FAILING_ENGINE});
  REQUIRE(client.has_error());
  CHECK(client.error().mechanism == "engine");
  CHECK(client.error().message == "no engine in here");
}

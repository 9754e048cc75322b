#include "tests/system/own_process.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/support/forked_process.h"

namespace cordon::test {

namespace {

bool write_file(const char* path, const std::string& text) {
  std::ofstream file(path);
  return static_cast<bool>(
      file.write(text.data(), static_cast<std::streamsize>(text.size())).flush());
}

}  // namespace

std::string in_own_process(const std::function<void()>& body) {
  return in_forked_process([&] {
    body();
    return std::string(kGood);
  });
}

void check_or_skip(const std::string& said, const std::string& needs) {
  if (said == kSkip) {
    WARN("skipped: this test needs " + needs);
    return;
  }
  CHECK(said == kGood);
}

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

std::string describe(const Outcome& outcome) {
  return std::string(to_string(outcome.status)) +
         (outcome.error ? ": " + outcome.error->message : "");
}

void require_ok(const Outcome& outcome) {
  require(outcome.status == Status::kOk, describe(outcome));
}

void require_unavailable(const Outcome& outcome, const std::string& words) {
  require(outcome.status == Status::kUnavailable &&
              outcome.error->message.find(words) != std::string::npos,
          "not unavailable with '" + words + "': " + describe(outcome));
}

void become_lonely_user() {
  constexpr uid_t kNobodyElse = 60317;
  if (::setgroups(0, nullptr) != 0 || ::setresgid(kNobodyElse, kNobodyElse, kNobodyElse) != 0 ||
      ::setresuid(kNobodyElse, kNobodyElse, kNobodyElse) != 0 ||
      ::access(
          (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "cordon-engine").c_str(),
          X_OK) != 0) {
    throw std::runtime_error(kSkip);
  }
}

void set_soft_limit(pid_t pid, __rlimit_resource resource, rlim_t value) {
  rlimit limit{};
  require(::prlimit(pid, resource, nullptr, &limit) == 0, "prlimit");
  limit.rlim_cur = std::min(value, limit.rlim_max);
  require(::prlimit(pid, resource, &limit, nullptr) == 0, "prlimit");
}

void leave_descriptors(std::size_t count) {
  int limit = 0;
  for (std::size_t free = 0; free < count; ++limit) {
    if (::fcntl(limit, F_GETFD) < 0) ++free;
  }
  set_soft_limit(0, RLIMIT_NOFILE, static_cast<rlim_t>(limit));
}

void leave_all_descriptors() { set_soft_limit(0, RLIMIT_NOFILE, RLIM_INFINITY); }

void enter_mount_namespace() {
  const bool is_root = ::geteuid() == 0;
  const std::string user = std::to_string(::geteuid());
  const std::string group = std::to_string(::getegid());
  if (::unshare(is_root ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0 ||
      // Who is nobody there could not make the namespaces of a sandbox.
      (!is_root && (!write_file("/proc/self/setgroups", "deny") ||
                    !write_file("/proc/self/uid_map", user + " " + user + " 1") ||
                    !write_file("/proc/self/gid_map", group + " " + group + " 1"))) ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    throw std::runtime_error(kSkip);
  }
}

void mount_small(const std::string& path, const char* options) {
  if (::mount("cordon-test", path.c_str(), "tmpfs", 0, options) != 0) {
    throw std::runtime_error(kSkip);
  }
}

void fill(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string block(4096, 'x');
  while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
  }
}

}  // namespace cordon::test

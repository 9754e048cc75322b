// The compile service's cage: a tiny hostile service tries the ways out, and the real service
// works.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "actors/process/engine_process.h"
#include "esbuild_version.h"
#include "tests/engine/harness.h"

using namespace cordon;
using namespace cordon::test;

namespace {

constexpr std::uint64_t kMemoryBytes = std::uint64_t{512} << 20;

struct Service {
  EngineProcess process;
  UniqueFd channel;  // its standard input and output
};

Result<Service, StartFailure> start_service(const char* executable, const std::string& argument) {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  UniqueFd channel(ends[0]);
  const UniqueFd service_end(ends[1]);
  const UniqueFd file(::open(executable, O_RDONLY | O_CLOEXEC));
  REQUIRE(file.get() >= 0);
  EngineProcessOptions options;
  options.executable = CORDON_PROBE_ENGINE;
  options.arguments = {"compiler", "--memory-bytes", std::to_string(kMemoryBytes), "--", argument};
  options.standard_input = service_end.get();
  options.standard_output = service_end.get();
  options.extra_descriptors = {file.get()};
  auto process = EngineProcess::start(options);
  if (!process) return process.error();
  return Service{std::move(*process), std::move(channel)};
}

Service start_testee(const std::string& attempt) {
  auto service = start_service(CORDON_COMPILER_TESTEE, attempt);
  if (!service) FAIL(service.error().mechanism + ": " + service.error().message);
  return std::move(*service);
}

// What the service writes; "" when it dies instead.
std::string answer_of(const Service& service) {
  char text[32];
  const ssize_t count = ::read(service.channel.get(), text, sizeof text);
  return count > 0 ? std::string(text, static_cast<std::size_t>(count)) : "";
}

}  // namespace

TEST_CASE("a service may compute, and is refused what it can do without") {
  CHECK(answer_of(start_testee("nothing")) == "ok");
  CHECK(answer_of(start_testee("map writable")) == "ok");
  CHECK(answer_of(start_testee("open")) == std::to_string(EACCES));
  CHECK(answer_of(start_testee("open itself")) == std::to_string(EACCES));
}

TEST_CASE("a service holds neither control channel nor lifeline nor its executable") {
  for (const char* descriptor : {"control", "lifeline", "executable"}) {
    INFO(descriptor);
    CHECK(answer_of(start_testee(descriptor)) == std::to_string(EBADF));
  }
  CHECK(answer_of(start_testee("execute again")) == std::to_string(EBADF));
}

TEST_CASE("a service's memory is limited") {
  CHECK(answer_of(start_testee("too much memory")) == std::to_string(ENOMEM));
}

TEST_CASE("every way out kills the service") {
  const char* attempt = GENERATE("map executable", "map writable and executable", "make executable",
                                 "execute", "socket", "connect", "sendmsg", "fork", "kill",
                                 "tgkill init", "ptrace", "x32", "x86", "unshare", "mount",
                                 "seccomp", "pidfd_open", "process_vm_readv", "bpf", "io_uring");
  INFO(attempt);
  Service service = start_testee(attempt);
  CHECK(answer_of(service) == "");
  CHECK(reap(service.process.process()).signal == SIGSYS);
}

TEST_CASE("the host sees a service with no privilege") {
  Service service = start_testee("wait");
  const pid_t pid = pid_of(service.process.process());
  REQUIRE(pid > 0);
  CHECK(proc_line(pid, "status", "Seccomp:") == "2");
  CHECK(proc_line(pid, "status", "NoNewPrivs:") == "1");
  CHECK(proc_line(pid, "status", "CapEff:") == "0000000000000000");
  CHECK(proc_line(pid, "status", "CapBnd:") == "0000000000000000");
  CHECK(proc_line(pid, "limits", "Max data size").starts_with(std::to_string(kMemoryBytes)));
  CHECK(proc_line(pid, "limits", "Max file size").starts_with("0 "));
  if (::geteuid() == 0) CHECK(std::stoul(proc_line(pid, "status", "Uid:")) != 0);
}

TEST_CASE("a service's namespaces and its view of files are its own and empty") {
  if (::geteuid() != 0) {
    WARN("skipped: only root may look at the namespaces of an undumpable process");
    return;
  }
  Service service = start_testee("wait");
  const std::string proc = "/proc/" + std::to_string(pid_of(service.process.process()));
  for (const char* name : {"user", "mnt", "net", "ipc", "uts", "pid", "cgroup"}) {
    INFO(name);
    CHECK(std::filesystem::read_symlink(std::string("/proc/self/ns/") + name) !=
          std::filesystem::read_symlink(proc + "/ns/" + name));
  }
  CHECK(std::filesystem::is_empty(proc + "/root"));
  CHECK(answer_of(start_testee("fourth descriptor")) == std::to_string(EBADF));
}

TEST_CASE("a service that spins or waits ends with its handle") {
  const char* attempt = GENERATE("spin", "wait");
  INFO(attempt);
  const UniqueFd pidfd = [&] {
    const Service service = start_testee(attempt);
    return UniqueFd(::fcntl(service.process.process(), F_DUPFD_CLOEXEC, 0));
  }();
  CHECK(ends(pidfd.get()));
}

TEST_CASE("a service that is no executable is named") {
  const auto service = start_service("/etc/passwd", "");
  REQUIRE(service.has_error());
  CHECK(service.error().mechanism == "compiler");
}

TEST_CASE("the real compile service answers from its cage") {
  auto service = start_service(CORDON_ESBUILD, "--service=" + std::string(kEsbuildVersion));
  if (!service) FAIL(service.error().mechanism + ": " + service.error().message);
  // Its greeting: a little-endian length and its version.
  const std::string version(kEsbuildVersion);
  CHECK(answer_of(*service) == std::string{static_cast<char>(version.size()), 0, 0, 0} + version);
  // The end of its input ends it.
  service->channel.reset();
  CHECK(ends(service->process.process()));
}

// What commands are launched with: decided without launching anything.

#include <elf.h>
#include <linux/audit.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "capabilities/process/command_result.h"
#include "capabilities/process/command_view.h"
#include "capabilities/process/path_links.h"
#include "capabilities/process/private_loader.h"
#include "capabilities/process/program_file.h"
#include "capabilities/process/syscall_filter.h"
#include "tests/engine/bpf_evaluator.h"
#include "tests/process/refused_calls.h"
#include "tests/process/sandboxed.h"
#include "tests/support/forked_process.h"

using namespace cordon;
using namespace cordon::test;
using Catch::Matchers::Contains;
using Texts = std::vector<std::string>;

namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool holds(const Texts& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::vector<Elf64_Phdr> program_headers(const std::string& image) {
  Elf64_Ehdr header{};
  std::memcpy(&header, image.data(), sizeof header);
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  std::memcpy(segments.data(), image.data() + header.e_phoff, segments.size() * sizeof(Elf64_Phdr));
  return segments;
}

CommandView view_of(const AISandboxOptions& options, bool map_owners = false) {
  const Authority authority = Authority::validate(options);
  ViewRequest request{*authority.subprocess(), {}, map_owners};
  for (const FileRoot& root : authority.read_roots().all()) {
    request.read_roots.push_back(root.canonical());
  }
  auto view = plan_view(request);
  REQUIRE(view.has_value());
  return *view;
}

// "allow", "EPERM", "ENOSYS" or "kill": the sternest of all filters, as the kernel takes it.
std::string verdict(const std::vector<FilterProgram>& filters, int number) {
  seccomp_data data{};
  data.nr = number;
  data.arch = AUDIT_ARCH_X86_64;
  std::string sternest = "allow";
  for (const FilterProgram& bytes : filters) {
    std::vector<sock_filter> program(bytes.size() / sizeof(sock_filter));
    std::memcpy(program.data(), bytes.data(), bytes.size());
    const std::uint32_t answer = evaluate(program, data);
    if (answer == SECCOMP_RET_ALLOW) continue;
    if ((answer & SECCOMP_RET_ACTION_FULL) != SECCOMP_RET_ERRNO) return "kill";
    sternest = (answer & SECCOMP_RET_DATA) == EPERM ? "EPERM" : "ENOSYS";
  }
  return sternest;
}

// For good, as the launcher does it.
bool install(FilterProgram bytes) {
  const sock_fprog program{static_cast<unsigned short>(bytes.size() / sizeof(sock_filter)),
                           reinterpret_cast<sock_filter*>(bytes.data())};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

// Whether the arguments `texts` follow each other in `all`.
bool has_sequence(const Texts& all, const Texts& texts) {
  return std::search(all.begin(), all.end(), texts.begin(), texts.end()) != all.end();
}

}  // namespace

TEST_CASE("a program's loader and a script's interpreters are found") {
  TemporaryDirectory tree;
  const auto shell = files_of_program("/usr/bin/dash", {});
  CHECK(shell.programs == Texts{"/usr/bin/dash"});
  CHECK(shell.loaders == Texts{"/lib64/ld-linux-x86-64.so.2"});
  const std::string script = tree.write("script", "#! /bin/sh -e\n", 0755);
  const auto files = files_of_program(script, {});
  CHECK(files.programs == Texts{script, "/usr/bin/dash"});
  CHECK(files.interpreters == Texts{"/bin/sh"});
  CHECK(files.loaders.size() == 1);
}

TEST_CASE("a script for env gets the program that env finds on the granted PATH") {
  TemporaryDirectory tree;
  const std::string tool = tree.write("bin/tool", "#!/bin/sh\n", 0755);
  const std::string script = tree.write("script", "#!/usr/bin/env -S tool --x\n", 0755);
  const auto granted = files_of_program(script, {{"PATH", tree / "bin"}}).programs;
  CHECK(granted == Texts{script, tool, "/usr/bin/dash", "/usr/bin/env"});
  CHECK(files_of_program(script, {}).programs == Texts{script, "/usr/bin/env"});
  const std::string endless = tree.write("endless", "#!" + (tree / "endless") + "\n", 0755);
  CHECK(files_of_program(endless, {}).programs.size() < 10);
  CHECK(files_of_program(tree / "missing", {}).programs == Texts{tree / "missing"});
}

TEST_CASE("a private loader differs in one program header, which makes it no program") {
  const std::string image = file_text("/lib64/ld-linux-x86-64.so.2");
  const auto made = make_private_loader(image);
  REQUIRE(made);
  CHECK(made->size() == image.size());
  const auto before = program_headers(image);
  const auto after = program_headers(*made);
  int changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (std::memcmp(&before[i], &after[i], sizeof before[i]) == 0) continue;
    ++changed;
    CHECK((before[i].p_type == PT_GNU_STACK || before[i].p_type == PT_NOTE));
    CHECK(after[i].p_type == PT_INTERP);
    CHECK(after[i].p_filesz == 0);
  }
  CHECK(changed == 1);
  CHECK_FALSE(make_private_loader("#!/bin/sh\n"));
  CHECK_FALSE(make_private_loader(""));
  CHECK_FALSE(make_private_loader(image.substr(0, 80)));
}

TEST_CASE("links on the way to a file are listed in order") {
  TemporaryDirectory tree;
  tree.write("real/file", "");
  REQUIRE(::symlink("real", (tree / "one").c_str()) == 0);
  REQUIRE(::symlink((tree / "one/file").c_str(), (tree / "two").c_str()) == 0);
  REQUIRE(::symlink("loop", (tree / "loop").c_str()) == 0);
  const auto links = links_towards(tree / "two");
  REQUIRE(links.size() == 2);
  CHECK(links[0].path == tree / "two");
  CHECK(links[0].target == tree / "one/file");
  CHECK(links[1].path == tree / "one");
  CHECK(links[1].target == "real");
  CHECK(links_towards(tree / "real/file").empty());
  CHECK(links_towards(tree / "loop").empty());
  CHECK(links_towards(tree / "none").empty());
}

TEST_CASE("the view shows what is granted, in an order that hides nothing") {
  TemporaryDirectory tree;
  tree.write("a/b/x", "");
  AISandboxOptions options;
  options.filesystem = SandboxFilesystemGrant{.read = {tree / "a/b", tree / "a", "/usr"}};
  auto& grant = options.subprocess.emplace();
  grant.commands = {"/bin/sh"};
  const CommandView view = view_of(options);
  CHECK(holds(view.may_execute, "/usr/bin/dash"));
  CHECK(holds(view.executable_mounts, "/usr/bin/dash"));
  CHECK(holds(view.executable_mounts, "/usr/lib"));
  CHECK_FALSE(holds(view.executable_mounts, "/usr"));
  CHECK_FALSE(holds(view.executable_mounts, tree / "a"));
  CHECK(view.roots.empty());
  const auto at = [&](const std::string& path) {
    const Texts bind{"--ro-bind", path, path};
    const auto& all = view.bubblewrap;
    const auto found = std::search(all.begin(), all.end(), bind.begin(), bind.end());
    REQUIRE(found != all.end());
    return found - all.begin();
  };
  CHECK(at("/usr") < at("/usr/lib"));  // what lies in a root is put on top of it
  CHECK(at("/usr") < at("/usr/bin/dash"));
  CHECK(at(tree / "a") < at(tree / "a/b"));
  CHECK_FALSE(has_sequence(view.bubblewrap, {"--ro-bind", "/etc/hosts"}));
}

TEST_CASE("roots whose owners are to be mapped are left to the launcher") {
  TemporaryDirectory tree;
  tree.write("in/x", "");
  AISandboxOptions options;
  options.filesystem = SandboxFilesystemGrant{.read = {tree / "in", "/usr"}};
  options.subprocess.emplace().commands = {"/bin/sh"};
  const CommandView view = view_of(options, true);
  REQUIRE(view.roots.size() == 1);  // /usr holds code, which must stay executable
  CHECK(view.roots[0].path == tree / "in");
  CHECK_FALSE(view.roots[0].writable);
}

TEST_CASE("writable roots may be changed, others not, a network brings its files") {
  TemporaryDirectory tree;
  tree.write("rw/x", "");
  AISandboxOptions options;
  auto& grant = options.subprocess.emplace();
  grant.commands = {"/bin/sh"};
  grant.sandbox.filesystem.writable = {tree / "rw"};
  grant.sandbox.network.outbound = true;
  const CommandView view = view_of(options);
  CHECK(holds(view.may_write, tree / "rw"));
  CHECK(has_sequence(view.bubblewrap, {"--bind", tree / "rw", tree / "rw"}));
  CHECK(has_sequence(view.bubblewrap, {"--ro-bind-try", "/etc/resolv.conf"}));
}

TEST_CASE("each end of a command comes to one result") {
  const CommandLimits limits{.timeout_ms = 500, .output_bytes = 10, .memory_bytes = 20};
  const auto refusal = [&](CommandEnd end) {
    return refusal_of({command_result("/bin/x", std::move(end), limits), nullptr});
  };
  using Stopped = CommandEnd::Stopped;
  CHECK(refusal({.stopped = Stopped::kTimeout}) ==
        "resource.wallClock: Subprocess /bin/x exceeded 500ms (subprocess.timeoutMs)");
  CHECK(refusal({.stopped = Stopped::kOutput}) ==
        "resource.bytes: Subprocess /bin/x output exceeds 10 bytes "
        "(resources.maxProcessOutputBytes)");
  CHECK(refusal({.stopped = Stopped::kCancelled}) ==
        "error: Subprocess /bin/x cancelled: the call is over");
  CHECK(refusal({.failure = SandboxFailure{"landlock", "no"}}) ==
        "subprocess: Subprocess /bin/x refused: the strict sandbox cannot be had on this host: "
        "landlock: no");
  CHECK(refusal({.not_executed = ENOEXEC}) ==
        "error: Subprocess /bin/x could not be executed: Exec format error");
  CHECK_THAT(refusal({.out_of_memory_kills = 1, .output = CommandOutput{-1, SIGKILL, "", ""}}),
             Contains("resource.memory: Subprocess /bin/x memory exceeds 20 bytes"));
  CHECK_THAT(refusal({}), Contains("killed from outside"));
  // A child that ran out of memory is the command's own affair.
  const auto survived = command_result(
      "/bin/x", {.out_of_memory_kills = 1, .output = CommandOutput{3, 0, "a", "b"}}, limits);
  REQUIRE(survived.has_value());
  CHECK(survived->code == 3);
}

TEST_CASE("an unknown system call, or one without which nothing runs, is an invalid option") {
  using Mode = SandboxProcessPolicy::Syscalls::Mode;
  AISandboxOptions options;
  options.subprocess.emplace().commands = {"/bin/sh"};
  auto& syscalls = options.subprocess->sandbox.syscalls.emplace();
  syscalls = {Mode::kDenylist, {"openat", "no_such_call"}};
  CHECK_THROWS_WITH(Authority::validate(options),
                    Contains("subprocess.sandbox.syscalls.names[1]: must be the name of a system "
                             "call"));
  syscalls = {Mode::kDenylist, {"execve"}};
  CHECK_THROWS_WITH(Authority::validate(options), Contains("process.allowExec"));
  syscalls = {Mode::kAllowlist, {"execve", "openat"}};
  CHECK_NOTHROW(Authority::validate(options));
}

TEST_CASE("libraries cannot be writable") {
  AISandboxOptions options;
  options.subprocess.emplace().sandbox.filesystem.writable = {"/usr"};
  CHECK_THROWS_WITH(Authority::validate(options),
                    Contains("subprocess.sandbox.filesystem.writable[0]") && Contains("/usr/lib"));
}

TEST_CASE("each system call of a command is answered as the table says") {
  const auto filters = syscall_filters({});
  std::vector<int> refused;
  std::vector<int> absent;
  for (int number = 0; number <= 450; ++number) {
    const std::string said = verdict(filters, number);
    if (said == "EPERM") refused.push_back(number);
    if (said == "ENOSYS" && (number < 335 || number > 423)) absent.push_back(number);
    CHECK(said != "kill");
  }
  std::vector<int> expected;
  for (const RefusedCall& call : kRefusedCalls) expected.push_back(call.number);
  CHECK(refused == expected);
  CHECK(absent == std::vector{435, 437});  // clone3, openat2
  for (int number = 451; number < 1000; ++number) {
    INFO(number);
    CHECK(verdict(filters, number) == "ENOSYS");  // nobody has looked at those
  }
}

TEST_CASE("the kernel gives every refused and absent call of a command the answer of the table") {
  const auto filters = syscall_filters({});
  CHECK(in_forked_process([&] {
          constexpr uid_t kNobody = 65534;
          constexpr int kUretprobe = 335;  // some kernels ask no filter about these two
          constexpr int kUprobe = 336;
          if (::geteuid() == 0 && ::setresuid(kNobody, kNobody, kNobody) != 0)
            return std::string("root");
          if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return std::string("privileges");
          for (const FilterProgram& filter : filters) {
            if (!install(filter)) return std::string("no filter");
          }
          int tried = 0;
          std::string wrong;
          for (int number = 0; number < 1000; ++number) {
            const std::string said = verdict(filters, number);
            if (said == "allow" || number == kUretprobe || number == kUprobe) continue;
            ++tried;
            errno = 0;
            const bool failed = ::syscall(number, -1L, -1L, -1L, -1L, -1L, -1L) == -1;
            if (!failed || errno != (said == "EPERM" ? EPERM : ENOSYS))
              wrong += " " + std::to_string(number);
          }
          return tried > 500 && wrong.empty() ? std::string("as it says") : "wrong:" + wrong;
        }) == "as it says");
}

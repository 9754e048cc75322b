// A script engine that runs no script: the job's code names one thing to try from inside of the
// locked-down child. What the child survives is its result, as text.

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/probe/idle_script_engine.h"
#include "messages/frame.h"
#include "messages/session.capnp.h"

// What main.cpp takes for SpiderMonkey's.
extern "C" {
const char* gMozCrashReason = nullptr;
}

namespace cordon::engine {

namespace {

std::string outcome(long result) {
  return result >= 0 ? "ok" : std::string("errno ") + ::strerrorname_np(errno);
}

std::string call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                 long f = 0) {
  return outcome(::syscall(number, a, b, c, d, e, f));
}

long address(const char* text) { return reinterpret_cast<long>(text); }

std::string map_memory(int protection) {
  void* const memory = ::mmap(nullptr, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return outcome(memory == MAP_FAILED ? -1 : 0);
}

std::string protect_memory(int protection) {
  void* const memory =
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return outcome(::mprotect(memory, 4096, protection));
}

[[noreturn]] void crash(const char* reason) {
  gMozCrashReason = reason;
  *static_cast<volatile int*>(nullptr) = 1;
  __builtin_trap();
}

std::string fill_memory() {
  std::vector<std::string*> blocks;
  for (;;) blocks.push_back(new std::string(1 << 20, 'x'));
}

// Any call, with arguments that can do no harm where it is allowed.
std::string any_call(const std::string& number) {
  return call(std::stol(number), -1, 0, 0, 0, 0, 0);
}

// What was mapped when the engine was made, from procfs: a child has none.
struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
std::vector<Range> ranges;
std::uintptr_t heap_begin = 0;

void record_ranges() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    Range range;
    char dash = 0;
    std::string rights;
    fields >> std::hex >> range.begin >> dash >> range.end >> rights;
    if (line.ends_with("[heap]")) heap_begin = range.begin;
    if (!line.ends_with("[vvar]") && !line.ends_with("[vsyscall]")) ranges.push_back(range);
  }
}

// Without procfs or a handler: the kernel says whether it could read a signal set there.
bool is_readable(std::uintptr_t at) {
  return ::syscall(SYS_rt_sigprocmask, -1, at, nullptr, 8) == 0 || errno != EFAULT;
}

// How often a text, given with its bytes flipped so that the job itself is no find, is in memory.
std::string search_memory(std::string flipped) {
  constexpr std::uintptr_t kPage = 4096;
  const auto first = static_cast<char>(~flipped.at(0));
  std::size_t found = 0;
  std::size_t pages = 0;
  if (heap_begin != 0) ranges.push_back({heap_begin, reinterpret_cast<std::uintptr_t>(::sbrk(0))});
  for (const Range& range : ranges) {
    for (std::uintptr_t page = range.begin; page < range.end; page += kPage) {
      if (!is_readable(page)) continue;
      ++pages;
      const char* at = reinterpret_cast<const char*>(page);
      const char* const end = at + kPage - flipped.size();
      while (at < end && (at = static_cast<const char*>(std::memchr(
                              at, first, static_cast<std::size_t>(end - at)))) != nullptr) {
        std::size_t i = 1;
        while (i < flipped.size() && at[i] == static_cast<char>(~flipped[i])) ++i;
        found += i == flipped.size() ? 1U : 0U;
        ++at;
      }
    }
  }
  return std::to_string(found) + " in " + (pages > 100 ? "many pages" : "few pages");
}

std::string mark_memory() {
  auto* const mark = new std::string("left by a sibling");
  return mark->empty() ? "" : "ok";
}

using Probe = std::function<std::string()>;

const std::map<std::string, Probe>& probes() {
  static const std::map<std::string, Probe> kProbes{
      {"nothing", [] { return std::string("ok"); }},
      {"open", [] { return call(SYS_openat, AT_FDCWD, address("/"), O_RDONLY); }},
      {"open old", [] { return call(SYS_open, address("/"), O_RDONLY); }},
      {"stat", [] { return call(SYS_newfstatat, AT_FDCWD, address("/"), 0, 0); }},
      {"sysinfo", [] { return call(SYS_sysinfo, 0); }},
      {"socket", [] { return call(SYS_socket, AF_INET, SOCK_STREAM, 0); }},
      {"socketpair", [] { return call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, 0); }},
      {"execve", [] { return call(SYS_execve, address("/bin/true"), 0, 0); }},
      {"fork", [] { return call(SYS_fork); }},
      {"vfork", [] { return call(SYS_vfork); }},
      {"clone", [] { return call(SYS_clone, SIGCHLD); }},
      {"clone as the zygote", [] { return call(SYS_clone, CLONE_PARENT | CLONE_PIDFD, 0, 0); }},
      {"clone3", [] { return call(SYS_clone3, 0, 0); }},
      {"kill", [] { return call(SYS_kill, 1, SIGKILL); }},
      {"tgkill", [] { return call(SYS_tgkill, ::getpid(), ::gettid(), SIGTERM); }},
      {"pidfd_open", [] { return call(SYS_pidfd_open, 1, 0); }},
      {"ptrace", [] { return call(SYS_ptrace, PTRACE_TRACEME); }},
      {"process_vm_readv", [] { return call(SYS_process_vm_readv, 1); }},
      {"prctl", [] { return call(SYS_prctl, 4, 1); }},
      {"unshare", [] { return call(SYS_unshare, CLONE_NEWUSER); }},
      {"mount", [] { return call(SYS_mount, 0, address("/"), 0, 0, 0); }},
      {"bpf", [] { return call(SYS_bpf, 0, 0, 0); }},
      {"io_uring", [] { return call(SYS_io_uring_setup, 1, 0); }},
      {"userfaultfd", [] { return call(SYS_userfaultfd, 0); }},
      {"memfd", [] { return call(SYS_memfd_create, address("x"), 0); }},
      {"sendmsg", [] { return call(SYS_sendmsg, 0, 0, 0); }},
      {"recvmsg", [] { return call(SYS_recvmsg, 0, 0, 0); }},
      {"seccomp", [] { return call(SYS_seccomp, 1, 0, 0); }},
      {"raise limit", [] { return call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, 0); }},
      {"dup", [] { return call(SYS_dup, 0); }},
      {"dup2", [] { return call(SYS_dup2, 0, 5); }},
      {"setitimer", [] { return call(SYS_setitimer, 0, 0, 0); }},
      {"x32", [] { return call(0x4000'0000 | SYS_getpid); }},
      {"x86",
       [] {
         long result = 20;  // getpid of the 32-bit table
         asm volatile("int $0x80" : "+a"(result) : : "memory");
         return outcome(result < 0 ? (errno = static_cast<int>(-result), -1) : 0);
       }},
      {"map writable", [] { return map_memory(PROT_READ | PROT_WRITE); }},
      {"map executable", [] { return map_memory(PROT_READ | PROT_EXEC); }},
      {"map writable and executable",
       [] { return map_memory(PROT_READ | PROT_WRITE | PROT_EXEC); }},
      {"make executable", [] { return protect_memory(PROT_READ | PROT_EXEC); }},
      {"make writable and executable",
       [] { return protect_memory(PROT_READ | PROT_WRITE | PROT_EXEC); }},
      {"pkey_mprotect", [] { return call(SYS_pkey_mprotect, 0, 0, PROT_EXEC, -1); }},
      {"random", [] { return call(SYS_getrandom, 0, 0, 0); }},
      {"usage",
       [] {
         rusage usage{};
         return outcome(::getrusage(RUSAGE_SELF, &usage));
       }},
      {"descriptors",
       [] {
         std::string open;
         for (int fd = 0; fd < 2000; ++fd) {
           char byte = 0;
           if (::read(fd, &byte, 0) == 0 || errno != EBADF) open += std::to_string(fd) + " ";
         }
         return open;
       }},
      {"texts",
       [] {
         std::string all;
         for (char** text = environ; *text != nullptr; ++text) all += std::string(*text) + " ";
         return all;
       }},
      {"crash", []() -> std::string { crash("MOZ_RELEASE_ASSERT(something)"); }},
      {"crash without memory",
       []() -> std::string { crash("[unhandlable oom] Failed to allocate"); }},
      {"illegal instruction", []() -> std::string { __builtin_trap(); }},
      {"fill memory", fill_memory},
      {"mark memory", mark_memory},
      {"wait", [] { return call(SYS_poll, 0, 0, -1); }},
  };
  return kProbes;
}

}  // namespace

Result<std::unique_ptr<ScriptEngine>, std::string> ScriptEngine::create(
    const ScriptEngineOptions&) {
  probes();
  record_ranges();
#if defined(TESTEE_FAILS)
  return std::string("no engine in here");
#elif defined(TESTEE_CRASHES)
  *static_cast<volatile int*>(nullptr) = 1;
#elif defined(TESTEE_HAS_THREAD)
  std::thread([] { ::pause(); }).detach();
#endif
  return std::unique_ptr<ScriptEngine>(new ScriptEngine(std::make_unique<Impl>()));
}

std::string ScriptEngine::version() { return "probe-1"; }

void ScriptEngine::serve(int channel) {
  const Message<wire::HostFrame> job = await_job(channel, 1 << 20);
  if (job.empty()) return;
  const std::string name = job.read()->getJob().getCode().cStr();
  constexpr std::string_view kCall = "system call ";
  constexpr std::string_view kSearch = "search memory for ";
  std::string text = "no such probe";
  if (name.starts_with(kCall)) {
    text = any_call(name.substr(kCall.size()));
  } else if (name.starts_with(kSearch)) {
    text = search_memory(name.substr(kSearch.size()));
  } else if (const auto probe = probes().find(name); probe != probes().end()) {
    text = probe->second();
  }
  write_frame(
      channel, Message<wire::ChildFrame>::build([&](wire::ChildFrame::Builder frame) {
        frame.setResult(kj::arrayPtr(reinterpret_cast<const kj::byte*>(text.data()), text.size()));
      }));
}

}  // namespace cordon::engine

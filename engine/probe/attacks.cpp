#include "engine/probe/attacks.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace cordon::engine {

namespace {

using Argument = const std::string&;
using Errors = std::initializer_list<int>;

// Calls with arguments that cannot do harm fail even where they are allowed: with one of `allowed`.
Attempt judge(long result, Errors allowed = {}) {
  if (result >= 0) return {true, "it succeeded"};
  const int error = errno;
  const bool reached = std::find(allowed.begin(), allowed.end(), error) != allowed.end();
  const char* const name = ::strerrorname_np(error);
  return {reached, name != nullptr ? name : std::to_string(error)};
}

template <class... Arguments>
Attempt call(Errors allowed, long number, Arguments... arguments) {
  return judge(::syscall(number, arguments...), allowed);
}

Attempt connect_to(int family, const void* address, std::size_t size) {
  const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return judge(socket);
  return judge(
      ::connect(socket, static_cast<const sockaddr*>(address), static_cast<socklen_t>(size)),
      {ECONNREFUSED});
}

Attempt connect_loopback(Argument port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect_to(AF_INET, &address, sizeof address);
}

Attempt connect_abstract(Argument name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return judge(socket);
  const auto size = offsetof(sockaddr_un, sun_path) + 1 + name.size();
  // Nobody listens by that name in another namespace: there a refusal is the wall.
  return judge(
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(size)));
}

Attempt execute(Argument path) {
  std::string name = path;
  std::string word = "reached it executed a program";
  char* const arguments[] = {name.data(), word.data(), nullptr};
  return judge(::execv(path.c_str(), arguments));
}

Attempt map_memory(std::size_t bytes, int protection, bool use) {
  void* const memory =
      ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return judge(-1);
  if (use) std::memset(memory, 1, bytes);
  return judge(0);
}

Attempt use_memory(Argument mebibytes) {
  return map_memory(std::stoul(mebibytes) << 20, PROT_READ | PROT_WRITE, true);
}

Attempt by_32_bit_table(Argument) {
  long result = 20;  // getpid
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  return result >= 0 ? Attempt{true, "it succeeded"} : Attempt{false, "refused"};
}

Attempt grow(Argument path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  return judge(file < 0 ? -1 : ::write(file, "x", 1));
}

Attempt lock_memory(Argument) {
  static char page[4096];
  return judge(::mlock(page, sizeof page));
}

// Where in the host's control groups this process is.
Attempt see_groups(Argument) {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.ends_with(":/")) return {true, "it sees its place in the host's groups"};
  }
  return {false, "it seems to be in the root of all groups"};
}

// More than the argument's number of descriptors, counted from 0.
Attempt find_descriptors(Argument expected) {
  std::string found;
  for (int fd = std::stoi(expected); fd < 1024; ++fd) {
    char byte = 0;
    if (::read(fd, &byte, 0) >= 0 || errno != EBADF) found += " " + std::to_string(fd);
  }
  if (found.empty()) return {false, "no other descriptor is open"};
  return {true, "open descriptors:" + found};
}

Attempt find_environment(Argument name) {
  if (::getenv(name.c_str()) == nullptr) return {false, "not in the environment"};
  return {true, "the environment has the host's " + name};
}

// A process by its short name, which this one does not have.
Attempt see_process(Argument name) {
  std::error_code error;
  unsigned seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    std::string comm;
    if (std::ifstream file(entry.path() / "comm"); !std::getline(file, comm)) continue;
    ++seen;
    if (comm == name) return {true, "it sees the host's " + name};
  }
  if (error) return {false, "/proc cannot be read"};
  return {false, std::to_string(seen) + " processes are seen, all of the sandbox"};
}

Attempt fork_often(Argument wanted) {
  int made = 0;
  for (; made < std::stoi(wanted); ++made) {
    const pid_t child = ::fork();
    if (child < 0) return {false, std::to_string(made) + " processes, then EAGAIN"};
    if (child == 0) {
      ::pause();
      ::_exit(0);
    }
  }
  return {true, wanted + " processes were made"};
}

// Something that ignores every signal and belongs to nobody, and has the argument in its name.
Attempt leave_daemon(Argument) {
  const pid_t child = ::fork();
  if (child != 0) return {false, child > 0 ? "left behind; looked for later" : "fork failed"};
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_IGN);
  for (;;) ::pause();
}

// Uses a fifth of a second of a CPU. A limit of half a CPU or less makes that take far longer.
Attempt burn(Argument) {
  constexpr std::int64_t kMilliseconds = 200;
  const auto now = [](clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
  };
  const std::int64_t start = now(CLOCK_MONOTONIC);
  while (now(CLOCK_PROCESS_CPUTIME_ID) < kMilliseconds) {
  }
  const std::int64_t took = now(CLOCK_MONOTONIC) - start;
  const std::string text = "200 ms of a CPU took " + std::to_string(took) + " ms";
  return {took < 2 * kMilliseconds, text};
}

Attempt gain_capabilities(Argument) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return judge(-1);
  if (data[0].effective == 0 && data[1].effective == 0) return {false, "none was gained"};
  return {true, "it has capabilities"};
}

const std::map<std::string, std::function<Attempt(Argument)>>& attacks() {
  static const std::map<std::string, std::function<Attempt(Argument)>> kAttacks{
      {"open", [](Argument path) { return judge(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); }},
      {"create",
       [](Argument path) {
         return judge(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
       }},
      {"append", [](Argument path) { return judge(::open(path.c_str(), O_WRONLY | O_CLOEXEC)); }},
      {"grow", grow},
      {"connect", connect_loopback},
      {"connect abstract", connect_abstract},
      {"internet socket", [](Argument) { return judge(::socket(AF_INET, SOCK_STREAM, 0)); }},
      {"local socket", [](Argument) { return judge(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
      {"raw socket", [](Argument) { return judge(::socket(AF_PACKET, SOCK_RAW, 0)); }},
      {"shared memory",
       [](Argument id) {
         return judge(
             ::shmat(std::stoi(id), nullptr, SHM_RDONLY) == reinterpret_cast<void*>(-1) ? -1 : 0);
       }},
      {"execute", execute},
      {"fork",
       [](Argument) {
         const pid_t child = ::fork();
         if (child == 0) ::_exit(0);
         return judge(child);
       }},
      {"forks", fork_often},
      {"daemon", leave_daemon},
      {"signal", [](Argument pid) { return judge(::kill(std::stoi(pid), 0), {EPERM}); }},
      {"signal all", [](Argument) { return judge(::kill(-1, 0)); }},
      {"see process", see_process},
      {"see groups", see_groups},
      {"trace", [](Argument) { return judge(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); }},
      {"read memory",
       [](Argument pid) {
         char byte = 0;
         const iovec local{&byte, 1};
         const iovec remote{const_cast<std::string*>(&pid), 1};
         return call({EFAULT}, SYS_process_vm_readv, std::stol(pid), &local, 1UL, &remote, 1UL,
                     0UL);
       }},
      {"write and execute",
       [](Argument) { return map_memory(4096, PROT_READ | PROT_WRITE | PROT_EXEC, false); }},
      {"memory file", [](Argument) { return call({}, SYS_memfd_create, "x", 0U); }},
      {"memory", use_memory},
      {"lock memory", lock_memory},
      {"address space",
       [](Argument mebibytes) {
         return map_memory(std::stoul(mebibytes) << 20, PROT_READ | PROT_WRITE, false);
       }},
      {"descriptors", find_descriptors},
      {"environment", find_environment},
      {"raise limit",
       [](Argument) {
         const rlimit limit{1U << 20, 1U << 20};
         return judge(::setrlimit(RLIMIT_NOFILE, &limit));
       }},
      {"duplicate", [](Argument) { return judge(::fcntl(0, F_DUPFD_CLOEXEC, 0)); }},
      {"mount",
       [](Argument path) {
         return judge(::mount("none", path.c_str(), "tmpfs", 0, nullptr), {ENOENT});
       }},
      {"namespace", [](Argument) { return judge(::unshare(CLONE_NEWUSER)); }},
      {"make device",
       [](Argument) { return judge(::mknod("zero", S_IFCHR | 0600, makedev(1, 5))); }},
      {"set user id",
       [](Argument) {
         const int file = ::open("set-user-id", O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
         return judge(file < 0 ? -1 : ::fchmod(file, 04755));
       }},
      {"become root", [](Argument) { return judge(::setresuid(0, 0, 0)); }},
      {"capabilities", gain_capabilities},
      {"keys", [](Argument) { return call({ENOKEY}, SYS_keyctl, 0L, -3L, 0L); }},
      {"bpf",
       [](Argument) {
         return call({EINVAL, EFAULT}, SYS_bpf, 0L, nullptr, 0L);
       }},
      {"io_uring", [](Argument) { return call({EFAULT}, SYS_io_uring_setup, 1L, nullptr); }},
      {"userfaultfd", [](Argument) { return call({}, SYS_userfaultfd, 1L); }},
      {"perf",
       [](Argument) {
         return call({EFAULT, EINVAL}, SYS_perf_event_open, nullptr, 0L, -1L, -1L, 0L);
       }},
      {"parent", [](Argument) { return call({}, SYS_getppid); }},
      {"x32 table", [](Argument) { return call({}, 0x4000'0000 | SYS_getpid); }},
      {"32-bit table", by_32_bit_table},
      {"type into terminal",
       [](Argument) {
         char byte = 'x';
         return judge(::ioctl(0, TIOCSTI, &byte), {ENOTTY, EIO});
       }},
      {"burn", burn},
  };
  return kAttacks;
}

}  // namespace

Attempt attempt(const std::string& name, const std::string& argument) {
  const auto found = attacks().find(name);
  if (found == attacks().end()) return {true, "the probe knows no attempt " + name};
  return found->second(argument);
}

std::string to_line(const Attempt& attempt) {
  return (attempt.reached ? "reached " : "stopped ") + attempt.detail;
}

}  // namespace cordon::engine

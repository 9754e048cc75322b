// A command that tries what its sandbox should forbid: `command_testee PROBE [ARGUMENT]` prints
// what came of it, "allowed" or the error.

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

using Argument = const std::string&;

int say(long result) {
  std::puts(result >= 0 ? "allowed" : std::strerror(errno));
  return 0;
}

// For calls that fail anyway with these arguments: only a filter answers EPERM or ENOSYS.
int say_reached(long result) {
  const bool filtered = result < 0 && (errno == EPERM || errno == ENOSYS);
  std::puts(filtered ? std::strerror(errno) : "allowed");
  return 0;
}

// Keeps the memory, page by page, until it ends.
int use_memory(Argument mebibytes, int flags) {
  const std::size_t bytes = std::stoul(mebibytes) << 20;
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return say(-1);
  std::memset(memory, 1, bytes);
  return say(0);
}

int count_forks(Argument wanted) {
  int made = 0;
  while (made < std::stoi(wanted)) {
    const pid_t child = ::fork();
    if (child < 0) break;
    if (child == 0) {
      ::pause();
      ::_exit(0);
    }
    ++made;
  }
  std::printf("%d\n", made);
  return 0;
}

int memory_in_children(Argument mebibytes) {
  for (int i = 0; i < 4; ++i) {
    if (::fork() == 0) {
      use_memory(mebibytes, MAP_PRIVATE);
      std::fflush(stdout);
      ::pause();
    }
  }
  int status = 0;
  ::wait(&status);
  std::puts(WIFSIGNALED(status) ? "killed" : "ended");
  return 0;
}

int execute_memory_file(Argument) {
  const int file = static_cast<int>(::syscall(SYS_memfd_create, "x", 0));
  return say(file);
}

int execute(Argument path) {
  char* const arguments[] = {const_cast<char*>(path.c_str()), nullptr};
  return say(::execv(path.c_str(), arguments));
}

int map_code(Argument path) {
  const int file = ::open(path.c_str(), O_RDONLY);
  if (file < 0) return say(-1);
  const void* const code = ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
  return say(code == MAP_FAILED ? -1 : 0);
}

int foreign_call(Argument) {
  long result = 20;  // getpid of the 32-bit table
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  std::puts("allowed");
  return 0;
}

int daemonise(Argument) {
  if (::fork() != 0) return 0;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_IGN);
  for (;;) ::pause();
}

// A child keeps the pipes; this process ends.
int leave_child(Argument) {
  if (::fork() == 0) {
    for (;;) ::pause();
  }
  std::puts("main is done");
  return 0;
}

int show_descriptors(Argument) {
  for (int fd = 0; fd < 4096; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) std::printf("%d ", fd);
  }
  std::puts("");
  return 0;
}

int show_capabilities(Argument) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Cap") || line.starts_with("NoNewPrivs")) std::puts(line.c_str());
  }
  return 0;
}

int burn(Argument seconds) {
  timespec now{};
  do {
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  } while (now.tv_sec < std::stoi(seconds));
  return 0;
}

// 64 processes that never rest, each with memory to give back.
int spin_everywhere(Argument) {
  for (int i = 0; i < 6; ++i) ::fork();
  use_memory("5", MAP_PRIVATE);
  for (;;) {
  }
}

int write_file(Argument path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0644);
  return say(file < 0 ? -1 : ::write(file, "x", 1));
}

int raise_signal(Argument number) {
  ::raise(std::stoi(number));
  return 0;
}

// Every call of the reviewed table that the filters refuse, by what it fails with. Each is made by
// a child, so that those which end or stop it do no harm; with arguments that nobody can use.
int list_refused_calls(Argument) {
  std::string refused[2];
  for (long number = 0; number <= 450; ++number) {
    int ends[2];
    if (::pipe(ends) != 0) return 1;
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(1);
      // As errno of a call that got through is the kernel's own EPERM now and then, only what a
      // filter refuses whatever its arguments counts: two sets of them.
      const long first = ::syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
      const int error = first < 0 ? errno : 0;
      const long second = ::syscall(number, 0x3fff'ffffL, 1L, 8L, 1L, 1L, 1L);
      const int again = second < 0 ? errno : 0;
      const char code = error != again ? 'n' : error == EPERM ? 'p' : error == ENOSYS ? 's' : 'n';
      if (::write(ends[1], &code, 1) != 1) ::_exit(1);
      ::_exit(0);
    }
    ::close(ends[1]);
    char code = 'n';
    if (::read(ends[0], &code, 1) != 1) code = 'n';
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    if (code == 'p') refused[0] += " " + std::to_string(number);
    if (code == 's') refused[1] += " " + std::to_string(number);
  }
  std::printf("EPERM%s | ENOSYS%s\n", refused[0].c_str(), refused[1].c_str());
  return 0;
}

int connect_to(Argument path, bool abstract) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket < 0) return say(-1);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path + (abstract ? 1 : 0), sizeof address.sun_path - 2);
  const auto size = offsetof(sockaddr_un, sun_path) + path.size() + 1;
  return say(
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(size)));
}

// Looks for a text, given in reverse so that the argument is no find, in everything that can be
// read but the system's libraries: files, descriptors, environments and command lines.
int search(Argument reversed) {
  const std::string wanted(reversed.rbegin(), reversed.rend());
  unsigned files = 0;
  unsigned finds = 0;
  const auto look = [&](int file) {
    std::string text(1 << 20, '\0');
    const ssize_t got = ::read(file, text.data(), text.size());
    ++files;
    if (got > 0 && text.substr(0, static_cast<std::size_t>(got)).find(wanted) != text.npos) ++finds;
  };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::string(*entry).find(wanted) != std::string::npos) ++finds;
  }
  for (int fd = 3; fd < 1024; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) look(fd);
  }
  using Walk = std::filesystem::recursive_directory_iterator;
  std::error_code error;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (Walk at("/", options, error), end; at != end; at.increment(error)) {
    if (error) break;
    const std::string path = at->path();
    if (path == "/usr") at.disable_recursion_pending();
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    if (file < 0) continue;
    look(file);
    ::close(file);
  }
  std::printf("%u finds in %s files\n", finds, files > 20 ? "many" : "few");
  return 0;
}

const std::map<std::string, std::function<int(Argument)>> kProbes = {
    {"memory", [](Argument n) { return use_memory(n, MAP_PRIVATE); }},
    {"memory_in_children", memory_in_children},
    {"forks", count_forks},
    {"thread",
     [](Argument) {
       std::thread([] {}).join();
       return say(0);
     }},
    {"socket", [](Argument family) { return say(::socket(std::stoi(family), SOCK_STREAM, 0)); }},
    {"udp", [](Argument) { return say(::socket(AF_INET, SOCK_DGRAM, 0)); }},
    {"socketpair",
     [](Argument) {
       int ends[2];
       return say(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
     }},
    {"listen", [](Argument) { return say_reached(::listen(-1, 1)); }},
    {"bind", [](Argument) { return say_reached(::bind(-1, nullptr, 0)); }},
    {"connect", [](Argument) { return say_reached(::connect(-1, nullptr, 0)); }},
    {"ptrace", [](Argument) { return say(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); }},
    {"keyctl", [](Argument) { return say_reached(::syscall(SYS_keyctl, 0, -3, 0)); }},
    {"mount", [](Argument) { return say_reached(::mount("x", "/", "tmpfs", 0, nullptr)); }},
    {"unshare", [](Argument) { return say(::unshare(CLONE_NEWUSER)); }},
    {"clone_user",
     [](Argument) {
       return say(::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, 0));
     }},
    {"bpf", [](Argument) { return say_reached(::syscall(SYS_bpf, 0, nullptr, 0)); }},
    {"userfaultfd", [](Argument) { return say(::syscall(SYS_userfaultfd, 1)); }},
    {"io_uring", [](Argument) { return say_reached(::syscall(SYS_io_uring_setup, 1, nullptr)); }},
    {"process_vm_readv",
     [](Argument) {
       return say_reached(::syscall(SYS_process_vm_readv, 1, nullptr, 0, nullptr, 0, 0));
     }},
    {"tiocsti",
     [](Argument) {
       char byte = 'x';
       return say_reached(::ioctl(0, TIOCSTI, &byte));
     }},
    {"newer_call", [](Argument) { return say_reached(::syscall(451)); }},
    {"set_user_id",
     [](Argument) {
       const int file = ::open("s", O_WRONLY | O_CREAT, 0644);
       return say(file < 0 ? -1 : ::fchmod(file, 04755));
     }},
    {"make_set_user_id", [](Argument) { return say(::open("s", O_WRONLY | O_CREAT, 04755)); }},
    {"memory_file", execute_memory_file},
    {"execute", execute},
    {"map_code", map_code},
    {"foreign_call", foreign_call},
    {"x32_call", [](Argument) { return say_reached(::syscall(0x4000'0000 | SYS_getpid)); }},
    {"daemon", daemonise},
    {"leave_child", leave_child},
    {"descriptors", show_descriptors},
    {"capabilities", show_capabilities},
    {"burn", burn},
    {"spin_everywhere", spin_everywhere},
    {"write", write_file},
    {"write_existing",
     [](Argument path) { return say(::open(path.c_str(), O_WRONLY | O_NONBLOCK)); }},
    {"write_and_execute",
     [](Argument) {
       const void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       return say(memory == MAP_FAILED ? -1 : 0);
     }},
    {"make_device", [](Argument) { return say(::mknod("d", S_IFCHR | 0600, makedev(1, 5))); }},
    {"set_user", [](Argument) { return say(::setresuid(0, 0, 0)); }},
    {"set_group", [](Argument) { return say(::setresgid(0, 0, 0)); }},
    {"change_owner",
     [](Argument) {
       const int file = ::open("o", O_WRONLY | O_CREAT, 0644);
       return say(file < 0 ? -1 : ::fchown(file, 0, 0));
     }},
    {"raise_limit",
     [](Argument) {
       const rlimit limit{1 << 20, 1 << 20};
       return say(::setrlimit(RLIMIT_NOFILE, &limit));
     }},
    {"connect_path", [](Argument path) { return connect_to(path, false); }},
    {"connect_abstract", [](Argument name) { return connect_to(name, true); }},
    {"refused_calls", list_refused_calls},
    {"search", search},
    {"raise", raise_signal},
    {"getppid", [](Argument) { return say_reached(::syscall(SYS_getppid)); }},
    {"kill_all", [](Argument) { return say(::kill(-1, SIGKILL)); }},
    {"session", [](Argument) { return say(::getsid(0) == ::getpid() ? 0 : -1); }},
    {"terminal", [](Argument) { return say(::open("/dev/tty", O_RDWR)); }},
};

}  // namespace

int main(int count, char** texts) {
  const std::string probe = count > 1 ? texts[1] : "";
  const auto found = kProbes.find(probe);
  if (found == kProbes.end()) return 64;
  return found->second(count > 2 ? texts[2] : "");
}

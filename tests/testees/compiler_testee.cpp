// A static program without a C library, run in place of the compile service: its argument names one
// thing to try. Writes "ok", or the number of the error.

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace {

long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
  long result = 0;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = 0;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

long address(const char* text) { return reinterpret_cast<long>(text); }

bool same(const char* a, const char* b) {
  for (; *a != '\0' && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}

long map_memory(long protection) {
  return call(SYS_mmap, 0, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

long attempt(const char* name) {
  if (same(name, "nothing")) return 0;
  if (same(name, "open")) return call(SYS_openat, AT_FDCWD, address("/"), O_RDONLY);
  if (same(name, "open itself")) return call(SYS_openat, 5, address(""), O_RDONLY);
  if (same(name, "map writable")) return map_memory(PROT_READ | PROT_WRITE);
  if (same(name, "map executable")) return map_memory(PROT_READ | PROT_EXEC);
  if (same(name, "execute again")) {
    return call(SYS_execveat, 5, address(""), 0, 0, AT_EMPTY_PATH);
  }
  if (same(name, "execute")) return call(SYS_execve, address("/bin/true"), 0, 0);
  if (same(name, "control")) return call(SYS_fcntl, 3, F_GETFD);
  if (same(name, "lifeline")) return call(SYS_fcntl, 4, F_GETFD);
  if (same(name, "executable")) return call(SYS_fcntl, 5, F_GETFD);
  if (same(name, "map writable and executable")) {
    return map_memory(PROT_READ | PROT_WRITE | PROT_EXEC);
  }
  if (same(name, "make executable")) {
    return call(SYS_mprotect, map_memory(PROT_READ | PROT_WRITE), 4096, PROT_READ | PROT_EXEC);
  }
  if (same(name, "x32")) return call(0x4000'0000 | SYS_getpid);
  if (same(name, "x86")) {
    long result = 20;  // getpid of the 32-bit table
    asm volatile("int $0x80" : "+a"(result) : : "memory");
    return result;
  }
  if (same(name, "connect")) return call(SYS_connect, 0, 0, 0);
  if (same(name, "sendmsg")) return call(SYS_sendmsg, 0, 0, 0);
  if (same(name, "unshare")) return call(SYS_unshare, CLONE_NEWUSER);
  if (same(name, "mount")) return call(SYS_mount, 0, address("/"), 0, 0, 0);
  if (same(name, "seccomp")) return call(SYS_seccomp, 1, 0, 0);
  if (same(name, "pidfd_open")) return call(SYS_pidfd_open, 1, 0);
  if (same(name, "process_vm_readv")) return call(SYS_process_vm_readv, 1, 0, 0, 0, 0);
  if (same(name, "bpf")) return call(SYS_bpf, 0, 0, 0);
  if (same(name, "io_uring")) return call(SYS_io_uring_setup, 1, 0);
  if (same(name, "fourth descriptor")) return call(SYS_read, 3, 0, 0);
  if (same(name, "socket")) return call(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
  if (same(name, "fork")) return call(SYS_clone, 17);
  if (same(name, "kill")) return call(SYS_kill, 1, 9);
  if (same(name, "tgkill init")) return call(SYS_tgkill, 1, 1, 9);
  if (same(name, "ptrace")) return call(SYS_ptrace, 0);
  if (same(name, "too much memory")) {
    return call(SYS_mmap, 0, long{1} << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1);
  }
  if (same(name, "wait")) {
    char byte = 0;
    return call(SYS_read, 0, reinterpret_cast<long>(&byte), 1);
  }
  if (same(name, "spin")) {
    for (volatile bool forever = true; forever;) {
    }
  }
  return -1000;
}

void answer(long result) {
  char text[8];
  unsigned at = sizeof text;
  long error = result < 0 ? -result : 0;
  do {
    text[--at] = static_cast<char>('0' + error % 10);
    error /= 10;
  } while (error != 0);
  if (result >= 0) {
    call(SYS_write, 1, address("ok"), 2);
  } else {
    call(SYS_write, 1, reinterpret_cast<long>(text + at), static_cast<long>(sizeof text - at));
  }
}

}  // namespace

extern "C" [[noreturn, gnu::used]] void run(const long* stack) {
  const auto* const arguments = reinterpret_cast<const char* const*>(stack + 1);
  answer(attempt(*stack > 1 ? arguments[1] : ""));
  for (;;) call(SYS_exit_group, 0);
}

asm(".globl _start\n_start:\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call run\n");

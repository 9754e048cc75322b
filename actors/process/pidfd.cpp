#include "actors/process/pidfd.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>

namespace cordon {

namespace {

// The first published layout of the kernel's pidfd_info; headers of older systems lack it.
struct PidfdInfo {
  std::uint64_t mask = 0;
  std::uint64_t cgroup = 0;
  std::uint32_t ids[11] = {};
  std::int32_t wait_status = 0;
  std::uint32_t coredump_mask = 0;
  std::uint32_t reserved = 0;
};
constexpr std::uint64_t kInfoPid = std::uint64_t{1} << 0;
constexpr std::uint64_t kInfoExit = std::uint64_t{1} << 3;
static_assert(sizeof(PidfdInfo) == 72);
constexpr unsigned long kGetInfo = _IOWR(0xff, 11, PidfdInfo);

ProcessEnd end_of_reaped(int pidfd) noexcept {
  PidfdInfo info;
  info.mask = kInfoExit;
  if (::ioctl(pidfd, kGetInfo, &info) != 0 || (info.mask & kInfoExit) == 0) return {};
  ProcessEnd end;
  end.known = true;
  if (WIFSIGNALED(info.wait_status)) {
    end.signal = WTERMSIG(info.wait_status);
  } else {
    end.code = WEXITSTATUS(info.wait_status);
  }
  return end;
}

std::optional<ProcessEnd> wait_for_end(int pidfd, int flags) noexcept {
  siginfo_t info{};
  rusage usage{};
  long result = 0;
  do {
    // The system call, since the library's wrapper has no usage.
    result = ::syscall(SYS_waitid, P_PIDFD, pidfd, &info, WEXITED | __WALL | flags, &usage);
  } while (result != 0 && errno == EINTR);
  if (result != 0) return end_of_reaped(pidfd);
  if (info.si_pid == 0) return std::nullopt;
  ProcessEnd end;
  end.known = true;
  end.usage = usage;
  if (info.si_code == CLD_EXITED) {
    end.code = info.si_status;
  } else {
    end.signal = info.si_status;
  }
  return end;
}

}  // namespace

pid_t pid_of(int pidfd) {
  PidfdInfo info;
  info.mask = kInfoPid;
  if (::ioctl(pidfd, kGetInfo, &info) == 0) return static_cast<pid_t>(info.ids[0]);
  // Older kernels; and who is gone.
  errno = 0;
  std::ifstream lines("/proc/self/fdinfo/" + std::to_string(pidfd));
  for (std::string word; lines >> word;) {
    pid_t pid = -1;
    if (word == "Pid:" && lines >> pid) return pid;
  }
  return -1;
}

bool send_signal(int pidfd, int signal) noexcept {
  return ::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0) == 0;
}

bool has_ended(int pidfd) noexcept {
  pollfd item{pidfd, POLLIN, 0};
  return ::poll(&item, 1, 0) == 1;
}

std::optional<ProcessEnd> try_reap(int pidfd) noexcept { return wait_for_end(pidfd, WNOHANG); }

ProcessEnd reap(int pidfd) noexcept { return wait_for_end(pidfd, 0).value_or(ProcessEnd{}); }

}  // namespace cordon

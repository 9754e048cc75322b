#include "cli/doctor/bait.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <system_error>

namespace cordon::doctor {

namespace fs = std::filesystem;

namespace {

void require(bool good, const char* what) {
  if (!good) throw std::system_error(errno, std::generic_category(), what);
}

std::string write_file(const fs::path& path, mode_t mode) {
  std::ofstream(path) << "bait of cordon doctor\n";
  require(::chmod(path.c_str(), mode) == 0, "writing a file to be attacked failed");
  return path;
}

UniqueFd listen_on(int family, const sockaddr* address, std::size_t size) {
  UniqueFd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  require(socket && ::bind(socket.get(), address, static_cast<socklen_t>(size)) == 0 &&
              ::listen(socket.get(), SOMAXCONN) == 0,
          "listening for attempts to connect failed");
  return socket;
}

// Whatever the terminal or a service manager sends to the examination is not for this one.
[[noreturn]] void remove_at_the_end(const fs::path& directory, int life) {
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  char byte = 0;
  while (::read(life, &byte, 1) < 0 && errno == EINTR) {
  }
  std::error_code ignored;
  fs::remove_all(directory, ignored);
  ::_exit(0);
}

}  // namespace

FleetingDirectory::FleetingDirectory() {
  int ends[2];
  require(::pipe2(ends, O_CLOEXEC) == 0, "pipe2 failed");
  const UniqueFd end_of_life(ends[0]);
  life_.reset(ends[1]);
  std::string name = (fs::temp_directory_path() / "cordon-doctor-XXXXXX").string();
  require(::mkdtemp(name.data()) != nullptr && ::chmod(name.c_str(), 0755) == 0,
          "making a directory to be attacked failed");
  path_ = name;
  remover_ = ::fork();
  if (remover_ == 0) {
    life_.reset();
    remove_at_the_end(path_, end_of_life.get());
  }
  if (remover_ < 0) {
    const int error = errno;
    ::rmdir(path_.c_str());
    errno = error;
    require(false, "fork failed");
  }
}

FleetingDirectory::~FleetingDirectory() {
  life_.reset();
  while (::waitpid(remover_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

HostBait::HostBait() : socket_("cordon-doctor-" + std::to_string(::getpid())) {
  file_ = write_file(directory_.path() / "file", 0644);
  private_file_ = write_file(directory_.path() / "private", 0600);

  sockaddr_in loopback{};
  loopback.sin_family = AF_INET;
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener_ = listen_on(AF_INET, reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback);
  socklen_t size = sizeof loopback;
  require(::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&loopback), &size) == 0,
          "getsockname failed");
  port_ = std::to_string(ntohs(loopback.sin_port));

  sockaddr_un abstract{};
  abstract.sun_family = AF_UNIX;
  socket_.copy(abstract.sun_path + 1, sizeof abstract.sun_path - 1);
  abstract_listener_ = listen_on(AF_UNIX, reinterpret_cast<const sockaddr*>(&abstract),
                                 offsetof(sockaddr_un, sun_path) + 1 + socket_.size());

  const int segment = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0666);
  require(segment >= 0, "shmget failed");
  memory_ = std::to_string(segment);
  // Linux lets others attach to it until this process, the last one, has ended.
  attached_ = ::shmat(segment, nullptr, SHM_RDONLY);
  const bool attached = attached_ != reinterpret_cast<const void*>(-1);
  require(::shmctl(segment, IPC_RMID, nullptr) == 0 && attached, "sharing memory failed");

  std::ifstream("/proc/self/comm") >> process_;
  require(::setenv(kVariable, "bait", 1) == 0, "setenv failed");
}

HostBait::~HostBait() { ::shmdt(attached_); }

}  // namespace cordon::doctor

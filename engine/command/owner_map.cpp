#include "engine/command/owner_map.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace cordon::engine {

namespace {

bool write_text(const std::string& path, const std::string& text) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Root's files are the command's, all other ids stay what they are.
std::string id_map(std::uint32_t id) {
  const std::string own = std::to_string(id);
  return "0 " + own + " 1\n1 1 " + std::to_string(id - 1) + "\n";
}

}  // namespace

UniqueFd make_owner_map(CommandIdentity identity) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  UniqueFd ready(ends[0]);
  UniqueFd say(ends[1]);
  const pid_t holder = ::fork();
  if (holder < 0) return {};
  if (holder == 0) {
    if (::unshare(CLONE_NEWUSER) != 0 || ::write(say.get(), "r", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  say.reset();
  char byte = 0;
  UniqueFd map;
  const std::string process = "/proc/" + std::to_string(holder);
  if (::read(ready.get(), &byte, 1) == 1 &&
      write_text(process + "/uid_map", id_map(identity.user)) &&
      write_text(process + "/gid_map", id_map(identity.group))) {
    map.reset(::open((process + "/ns/user").c_str(), O_RDONLY | O_CLOEXEC));
  }
  ::kill(holder, SIGKILL);
  while (::waitpid(holder, nullptr, 0) < 0 && errno == EINTR) {
  }
  return map;
}

}  // namespace cordon::engine

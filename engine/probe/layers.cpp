#include "engine/probe/layers.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/landlock.h"
#include "engine/lockdown.h"
#include "engine/mount_view.h"
#include "engine/namespaces.h"
#include "engine/privileges.h"
#include "engine/probe/attacks.h"
#include "engine/seccomp_filter.h"
#include "messages/unique_fd.h"

namespace cordon::engine {

namespace {

using Step = std::function<Started()>;

enum class Control { kMustReach, kNone };

struct Layer {
  std::string mechanism;
  Step before;  // what stands in either case
  Step wall;
  std::function<Attempt()> attack;
  Control control = Control::kMustReach;
};

Started nothing() { return {}; }

std::string fields(std::initializer_list<std::string> texts) {
  std::string line;
  for (const std::string& text : texts) line += (line.empty() ? "" : "\t") + text;
  return line;
}

// What `body` writes from a process of its own; how it died, when it wrote nothing.
std::string in_child(const std::function<std::string()>& body) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "failed\tdescriptors\tpipe2 failed\t";
  const pid_t child = ::fork();
  if (child < 0)
    return "failed\tprocesses\tfork failed\traise the limit of processes (pids cgroup, "
           "RLIMIT_NPROC)";
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);  // what an executed program says counts as well
    const std::string said = body();
    const bool written = ::write(ends[1], said.data(), said.size()) >= 0;
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  const UniqueFd from(ends[0]);
  std::string text;
  std::array<char, 512> buffer{};
  for (ssize_t count = 0; (count = ::read(from.get(), buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (text.empty() && WIFSIGNALED(status)) {
    return std::string("stopped killed by SIG") + ::sigabbrev_np(WTERMSIG(status));
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string failed(const StartFailure& failure) {
  return fields({"failed", failure.mechanism, failure.message, failure.remedy});
}

std::string attacked(const Layer& layer, bool with_wall) {
  return in_child([&] {
    if (const Started done = layer.before(); !done) return failed(done.error());
    if (with_wall) {
      if (const Started done = layer.wall(); !done) return failed(done.error());
    }
    return to_line(layer.attack());
  });
}

std::string try_layer(const Layer& layer) {
  constexpr std::string_view kFailed = "failed\t";
  constexpr std::string_view kReached = "reached ";
  constexpr std::string_view kStopped = "stopped ";
  const std::string said = attacked(layer, true);
  if (said.starts_with(kFailed)) return "missing\t" + said.substr(kFailed.size());
  if (!said.starts_with(kStopped)) {
    const bool reached = said.starts_with(kReached);
    return fields({"broken", layer.mechanism, reached ? said.substr(kReached.size()) : said});
  }
  if (layer.control == Control::kMustReach) {
    const std::string control = attacked(layer, false);
    if (!control.starts_with(kReached)) {
      return fields({"needless", layer.mechanism, said.substr(kStopped.size())});
    }
  }
  return fields({"held", layer.mechanism, said.substr(kStopped.size())});
}

bool write_text(const char* path, const std::string& text) {
  const UniqueFd file(::open(path, O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// A root without capabilities, who gets them all back with the next execution.
Started become_powerless_root() {
  const std::string user = "0 " + std::to_string(::geteuid()) + " 1";
  const std::string group = "0 " + std::to_string(::getegid()) + " 1";
  if (::unshare(CLONE_NEWUSER) != 0 || !write_text("/proc/self/setgroups", "deny") ||
      !write_text("/proc/self/gid_map", group) || !write_text("/proc/self/uid_map", user)) {
    return system_failure("user namespace", "making one failed", "allow user namespaces");
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) {
    return system_failure("capabilities", "capset failed", kSystemCallRemedy);
  }
  return {};
}

Attempt execute_for_capabilities() {
  const char* const arguments[] = {"cordon-probe", "command", "capabilities", nullptr};
  ::execv("/proc/self/exe", const_cast<char* const*>(arguments));
  return {false, "the probe could not be executed"};
}

// An ordinary user whose processes may look at each other.
Started become_open_user() {
  constexpr uid_t kNobody = 65534;
  if (::geteuid() == 0 &&
      (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
       ::setresuid(kNobody, kNobody, kNobody) != 0)) {
    return system_failure("id map", "becoming an ordinary user failed", "start as one");
  }
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);  // where Yama has an opinion
  return {};
}

// By another process of the same user.
Attempt be_read() {
  const std::string victim = std::to_string(::getpid());
  const std::string said = in_child([&] { return to_line(attempt("read memory", victim)); });
  return {said.starts_with("reached"), said.substr(said.find(' ') + 1)};
}

// In the first process of a new PID namespace, if there is one.
Attempt signal_host() {
  const std::string host = std::to_string(::getpid());
  const std::string said = in_child([&] { return to_line(attempt("signal", host)); });
  return {said.starts_with("reached"), said.substr(said.find(' ') + 1)};
}

// A host that may be renamed: a process that stays in a namespace of ours, and tells its name.
class NamedHost {
 public:
  Started begin() {
    if (const Started entered = enter_namespaces(); !entered) return entered;
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      return system_failure("descriptors", "socketpair failed", "raise the limit of open files");
    }
    question_.reset(ends[0]);
    const UniqueFd answer(ends[1]);
    const pid_t host = ::fork();
    if (host < 0) {
      return system_failure("processes", "fork failed", "raise the limit of processes");
    }
    if (host == 0) {
      question_.reset();
      tell_name(answer.get());
    }
    return {};
  }

  Attempt rename() const {
    constexpr std::string_view kNewName = "reached";
    if (::sethostname(kNewName.data(), kNewName.size()) != 0) return {false, "sethostname failed"};
    std::array<char, 128> name{};
    if (::write(question_.get(), "?", 1) != 1 ||
        ::read(question_.get(), name.data(), name.size() - 1) <= 0) {
      return {true, "the host does not tell its name"};
    }
    if (name.data() == kNewName) return {true, "the host has another name"};
    return {false, "the host has kept its name"};
  }

 private:
  [[noreturn]] static void tell_name(int answer) {
    char question = 0;
    std::array<char, 128> name{};
    const bool told = ::read(answer, &question, 1) == 1 &&
                      ::gethostname(name.data(), name.size() - 1) == 0 &&
                      ::write(answer, name.data(), name.size()) > 0;
    ::_exit(told ? 0 : 1);
  }

  UniqueFd question_;
};

Attempt dump_core() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::raise(SIGABRT);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WCOREDUMP(status)) return {true, "a core was dumped"};
  return {false, "a crash leaves no core"};
}

Step limit(__rlimit_resource resource, rlim_t value) {
  return [=] {
    const std::array limits{ResourceLimit{resource, value, value}};
    return limit_resources(limits);
  };
}

Started filter_calls() {
  if (install(assemble(zygote_policy(true)))) return {};
  return system_failure("seccomp", "installing the system call filter failed",
                        "use a kernel with CONFIG_SECCOMP_FILTER, and allow seccomp in the "
                        "container's own profile");
}

Started hide_from_cores() {
  if (const Started limited = limit(RLIMIT_CORE, 0)(); !limited) return limited;
  return forbid_inspection();
}

std::map<std::string, Layer> layers(const Bait& bait) {
  const auto aim = [](const char* name, const std::string& argument) {
    return [name, argument] { return attempt(name, argument); };
  };
  const auto restrict_all = [] { return restrict_access(); };
  const std::string landlock = "landlock " + std::to_string(landlock_version());
  const std::string kNamespaces = "namespaces";
  const auto host = std::make_shared<NamedHost>();
  std::map<std::string, Layer> all{
      {"mount view",
       {"pivot_root", enter_namespaces, empty_the_mount_view, aim("open", bait.file)}},
      {"network namespace", {kNamespaces, nothing, enter_namespaces, aim("connect", bait.port)}},
      {"abstract sockets",
       {kNamespaces, nothing, enter_namespaces, aim("connect abstract", bait.socket)}},
      {"IPC namespace",
       {kNamespaces, nothing, enter_namespaces, aim("shared memory", bait.memory)}},
      {"PID namespace", {kNamespaces, nothing, enter_namespaces, signal_host}},
      {"UTS namespace",
       {kNamespaces, [host] { return host->begin(); }, [] { return enter_namespace(CLONE_NEWUTS); },
        [host] { return host->rename(); }}},
      {"cgroup namespace", {kNamespaces, nothing, enter_namespaces, aim("see groups", "")}},
      {"capabilities", {"capset", enter_namespaces, drop_capabilities, aim("mount", "/proc")}},
      {"no new privileges",
       {"no_new_privs", become_powerless_root, forbid_new_privileges, execute_for_capabilities}},
      {"landlock read", {landlock, forbid_new_privileges, restrict_all, aim("open", bait.file)}},
      {"landlock write",
       {landlock, forbid_new_privileges, restrict_all, aim("append", bait.private_file)}},
      {"seccomp", {"seccomp", forbid_new_privileges, filter_calls, aim("parent", "")}},
      {"executable memory",
       {"seccomp", forbid_new_privileges, filter_calls, aim("write and execute", "")}},
      {"memory limit",
       {"RLIMIT_DATA", nothing, limit(RLIMIT_DATA, rlim_t{64} << 20), aim("address space", "128")}},
      {"file size limit",
       {"RLIMIT_FSIZE", nothing, limit(RLIMIT_FSIZE, 0), aim("grow", bait.private_file)}},
      {"locked memory limit",
       {"RLIMIT_MEMLOCK", become_open_user, limit(RLIMIT_MEMLOCK, 0), aim("lock memory", "")}},
      {"descriptor limit",
       {"RLIMIT_NOFILE", nothing, limit(RLIMIT_NOFILE, 3), aim("duplicate", "")}},
      {"no core dumps",
       {"RLIMIT_CORE, dumpable", nothing, hide_from_cores, dump_core, Control::kNone}},
      {"no inspection", {"dumpable", become_open_user, forbid_inspection, be_read}},
  };
  // An ordinary user has nothing to lose by it: there it is what the other namespaces stand on.
  const bool root = ::geteuid() == 0;
  all["user namespace"] = {root ? "another user id" : "the same ordinary user", nothing,
                           enter_namespaces,
                           root ? aim("open", bait.private_file) : aim("become root", ""),
                           root ? Control::kMustReach : Control::kNone};
  return all;
}

}  // namespace

std::string try_layer(const std::string& name, const Bait& bait) {
  const auto all = layers(bait);
  const auto found = all.find(name);
  return found == all.end() ? "" : try_layer(found->second);
}

}  // namespace cordon::engine

#include "capabilities/process/syscall_filter.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <string_view>
#include <system_error>

#include "messages/launch_descriptors.h"
#include "messages/unique_fd.h"

namespace cordon {

namespace {

constexpr std::uint32_t kSocketTypes = 0xf;  // the bits of a type, without its flags
constexpr int kNewestReviewed = 450;         // set_mempolicy_home_node, Linux 5.17

// Refused whatever the arguments.
constexpr std::array kForbidden = {
    // the kernel itself, its clock, its log, its devices
    "acct", "adjtimex", "bpf", "clock_adjtime", "clock_settime", "create_module", "delete_module",
    "finit_module", "get_kernel_syms", "init_module", "ioperm", "iopl", "kexec_file_load",
    "kexec_load", "lookup_dcookie", "nfsservctl", "perf_event_open", "quotactl", "quotactl_fd",
    "query_module", "reboot", "settimeofday", "swapoff", "swapon", "_sysctl", "sysfs", "syslog",
    "uselib", "ustat", "vhangup",
    // other processes
    "kcmp", "migrate_pages", "move_pages", "pidfd_getfd", "process_madvise", "process_mrelease",
    "process_vm_readv", "process_vm_writev", "ptrace",
    // the view and the namespaces
    "chroot", "fsconfig", "fsmount", "fsopen", "fspick", "mount", "mount_setattr", "move_mount",
    "name_to_handle_at", "open_by_handle_at", "open_tree", "pivot_root", "setdomainname",
    "sethostname", "setns", "umount2", "unshare",
    // large and young, or a way around the other walls: an anonymous file can be executed
    "add_key", "fanotify_init", "fanotify_mark", "io_uring_enter", "io_uring_register",
    "io_uring_setup", "keyctl", "memfd_create", "memfd_secret", "personality", "request_key",
    "userfaultfd", "vmsplice"};

// Their flags lie in memory, where a filter cannot look; every C library does without them.
constexpr std::array kAbsent = {"clone3", "openat2"};

constexpr std::uint64_t kNamespaceFlags[] = {CLONE_NEWUSER,   CLONE_NEWNS,  CLONE_NEWPID,
                                             CLONE_NEWNET,    CLONE_NEWIPC, CLONE_NEWUTS,
                                             CLONE_NEWCGROUP, 0x80 /* CLONE_NEWTIME */};

// Without these a command could not even be started, or end.
constexpr std::array kAlwaysAllowed = {"execve", "execveat", "exit", "exit_group"};

[[noreturn]] void fail(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), std::string(what) + " failed");
}

// `result` is one of libseccomp's.
void require(int result, const char* what) {
  if (result != 0) fail(-result, what);
}

class Filter {
 public:
  explicit Filter(std::uint32_t otherwise) : context_(seccomp_init(otherwise)) {
    if (context_ == nullptr) fail(ENOMEM, "seccomp_init");
    // Calls by another architecture's table, and by the x32 one.
    require(seccomp_attr_set(get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
            "seccomp_attr_set");
    require(seccomp_attr_set(get(), SCMP_FLTATR_CTL_OPTIMIZE, 2), "seccomp_attr_set");
  }

  void add(std::uint32_t action, int number, const std::vector<scmp_arg_cmp>& tests = {}) {
    if (number < 0) return;  // unknown here, so it cannot be called either
    require(seccomp_rule_add_array(get(), action, number, static_cast<unsigned>(tests.size()),
                                   tests.data()),
            "seccomp_rule_add");
  }
  void add(std::uint32_t action, const char* name, const std::vector<scmp_arg_cmp>& tests = {}) {
    add(action, seccomp_syscall_resolve_name(name), tests);
  }
  void refuse(const char* name, const std::vector<scmp_arg_cmp>& tests = {}) {
    add(SCMP_ACT_ERRNO(EPERM), name, tests);
  }

  FilterProgram program() const {
    const UniqueFd file(::memfd_create("filter", MFD_CLOEXEC));
    if (!file) fail(errno, "memfd_create");
    require(seccomp_export_bpf(get(), file.get()), "seccomp_export_bpf");
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) fail(errno, "fstat");
    FilterProgram bytes(static_cast<std::size_t>(info.st_size), '\0');
    const ssize_t got = ::pread(file.get(), bytes.data(), bytes.size(), 0);
    if (got != static_cast<ssize_t>(bytes.size())) fail(got < 0 ? errno : EIO, "pread");
    return bytes;
  }

 private:
  scmp_filter_ctx get() const { return context_.get(); }
  struct Release {
    void operator()(void* context) const { seccomp_release(context); }
  };
  std::unique_ptr<void, Release> context_;
};

scmp_arg_cmp has_bit(unsigned argument, std::uint64_t bit) {
  return SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bit, bit);
}

scmp_arg_cmp lacks_bit(unsigned argument, std::uint64_t bit) {
  return SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bit, 0);
}

// The upper half of an int argument means nothing to the kernel.
scmp_arg_cmp is_int(unsigned argument, std::uint32_t value) {
  return SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, 0xffff'ffff, value);
}

// Only calls that were looked at.
FilterProgram reviewed_calls() {
  Filter filter(SCMP_ACT_ERRNO(ENOSYS));
  const auto is_absent = [](std::string_view name) {
    return std::find(kAbsent.begin(), kAbsent.end(), name) != kAbsent.end();
  };
  for (int number = 0; number <= kNewestReviewed; ++number) {
    char* const name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, number);
    if (name == nullptr) continue;
    if (!is_absent(name)) filter.add(SCMP_ACT_ALLOW, number);
    ::free(name);
  }
  return filter.program();
}

void refuse_set_user_id_files(Filter& filter) {
  for (const std::uint64_t bit : {std::uint64_t{S_ISUID}, std::uint64_t{S_ISGID}}) {
    filter.refuse("chmod", {has_bit(1, bit)});
    filter.refuse("fchmod", {has_bit(1, bit)});
    filter.refuse("fchmodat", {has_bit(2, bit)});
    filter.refuse("creat", {has_bit(1, bit)});
    filter.refuse("mknod", {has_bit(1, bit)});
    filter.refuse("mknodat", {has_bit(2, bit)});
    for (const std::uint64_t making :
         {std::uint64_t{O_CREAT}, std::uint64_t{O_TMPFILE & ~O_DIRECTORY}}) {
      filter.refuse("open", {has_bit(1, making), has_bit(2, bit)});
      filter.refuse("openat", {has_bit(2, making), has_bit(3, bit)});
    }
  }
}

void refuse_socket_families(Filter& filter, const std::vector<std::uint32_t>& but) {
  for (std::uint32_t family = 0; family < AF_MAX; ++family) {
    if (std::find(but.begin(), but.end(), family) != but.end()) continue;
    filter.refuse("socket", {is_int(0, family)});
  }
  filter.refuse("socket", {SCMP_CMP(0, SCMP_CMP_GE, AF_MAX)});
}

void refuse_sockets(Filter& filter, const SandboxProcessPolicy::Network& network) {
  if (!network.outbound && !network.inbound) {
    // Programs look for local services all the time, and do without; who wants the internet is not
    // the program that was granted.
    for (const std::uint32_t family : {AF_INET, AF_INET6}) {
      filter.add(SCMP_ACT_KILL_PROCESS, "socket", {is_int(0, family)});
    }
    refuse_socket_families(filter, {AF_INET, AF_INET6});
    return filter.refuse("socketpair");
  }
  // A socket file in a granted directory would be a way out to whoever listens there.
  refuse_socket_families(filter, {AF_INET, AF_INET6, AF_NETLINK});
  filter.refuse("socket", {is_int(0, AF_NETLINK), SCMP_CMP(2, SCMP_CMP_NE, NETLINK_ROUTE)});
  if (!network.inbound) {
    for (const char* const name : {"bind", "listen", "accept", "accept4"}) filter.refuse(name);
  }
  if (network.outbound) return;
  filter.refuse("connect");
  // Other kinds of socket send to whomever they like, without a connection.
  for (std::uint32_t type = 0; type <= kSocketTypes; ++type) {
    if (type == SOCK_STREAM) continue;
    filter.refuse("socket", {SCMP_CMP(1, SCMP_CMP_MASKED_EQ, kSocketTypes, type)});
  }
  for (std::uint32_t protocol = 1; protocol < IPPROTO_TCP; ++protocol) {
    filter.refuse("socket", {is_int(2, protocol)});
  }
  filter.refuse("socket", {SCMP_CMP(2, SCMP_CMP_GT, IPPROTO_TCP)});
  filter.refuse("sendto", {has_bit(3, MSG_FASTOPEN)});
  filter.refuse("sendmsg", {has_bit(2, MSG_FASTOPEN)});
  filter.refuse("sendmmsg", {has_bit(3, MSG_FASTOPEN)});
}

void refuse_processes(Filter& filter, const SandboxProcessPolicy::Process& process) {
  for (const std::uint64_t flag : kNamespaceFlags) filter.refuse("clone", {has_bit(0, flag)});
  if (!process.allow_fork) {
    filter.refuse("fork");
    filter.refuse("vfork");
    filter.refuse("clone", {lacks_bit(0, CLONE_THREAD)});
  }
  if (!process.allow_exec) {
    filter.refuse("execve");
    filter.refuse("execveat", {SCMP_CMP(0, SCMP_CMP_NE, kExecutedDescriptor)});
  }
}

FilterProgram base(const SandboxProcessPolicy& policy) {
  Filter filter(SCMP_ACT_ALLOW);
  for (const char* const name : kForbidden) filter.refuse(name);
  filter.refuse("ioctl", {is_int(1, TIOCSTI)});
  filter.refuse("ioctl", {is_int(1, TIOCLINUX)});
  refuse_set_user_id_files(filter);
  refuse_sockets(filter, policy.network);
  refuse_processes(filter, policy.process);
  return filter.program();
}

FilterProgram listed(const SandboxProcessPolicy::Syscalls& syscalls) {
  const bool allow = syscalls.mode == SandboxProcessPolicy::Syscalls::Mode::kAllowlist;
  Filter filter(allow ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_ALLOW);
  const std::uint32_t action = allow ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM);
  for (const std::string& name : syscalls.names) filter.add(action, name.c_str());
  if (allow) {
    for (const char* const name : kAlwaysAllowed) filter.add(action, name);
  }
  return filter.program();
}

}  // namespace

bool is_known_syscall(const std::string& name) {
  if (name.find('\0') != std::string::npos) return false;
  return seccomp_syscall_resolve_name(name.c_str()) != __NR_SCMP_ERROR;
}

bool starts_commands(const std::string& name) {
  return std::find(kAlwaysAllowed.begin(), kAlwaysAllowed.end(), name) != kAlwaysAllowed.end();
}

std::vector<FilterProgram> syscall_filters(const SandboxProcessPolicy& policy) {
  std::vector<FilterProgram> filters{reviewed_calls(), base(policy)};
  if (policy.syscalls) filters.push_back(listed(*policy.syscalls));
  return filters;
}

}  // namespace cordon

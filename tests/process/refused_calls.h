#pragma once
// The system calls that no command may make, whatever their arguments: a change of policy shows
// as a change of this table. `socket` is refused for all families without a network grant (and
// ends the command for internet ones).

#include <array>

namespace cordon::test {

struct RefusedCall {
  int number;
  const char* name;
};

inline constexpr auto kRefusedCalls = std::to_array<RefusedCall>({
    {41, "socket"},
    {53, "socketpair"},
    {101, "ptrace"},
    {103, "syslog"},
    {134, "uselib"},
    {135, "personality"},
    {136, "ustat"},
    {139, "sysfs"},
    {153, "vhangup"},
    {155, "pivot_root"},
    {156, "_sysctl"},
    {159, "adjtimex"},
    {161, "chroot"},
    {163, "acct"},
    {164, "settimeofday"},
    {165, "mount"},
    {166, "umount2"},
    {167, "swapon"},
    {168, "swapoff"},
    {169, "reboot"},
    {170, "sethostname"},
    {171, "setdomainname"},
    {172, "iopl"},
    {173, "ioperm"},
    {174, "create_module"},
    {175, "init_module"},
    {176, "delete_module"},
    {177, "get_kernel_syms"},
    {178, "query_module"},
    {179, "quotactl"},
    {180, "nfsservctl"},
    {212, "lookup_dcookie"},
    {227, "clock_settime"},
    {246, "kexec_load"},
    {248, "add_key"},
    {249, "request_key"},
    {250, "keyctl"},
    {256, "migrate_pages"},
    {272, "unshare"},
    {278, "vmsplice"},
    {279, "move_pages"},
    {298, "perf_event_open"},
    {300, "fanotify_init"},
    {301, "fanotify_mark"},
    {303, "name_to_handle_at"},
    {304, "open_by_handle_at"},
    {305, "clock_adjtime"},
    {308, "setns"},
    {310, "process_vm_readv"},
    {311, "process_vm_writev"},
    {312, "kcmp"},
    {313, "finit_module"},
    {319, "memfd_create"},
    {320, "kexec_file_load"},
    {321, "bpf"},
    {323, "userfaultfd"},
    {425, "io_uring_setup"},
    {426, "io_uring_enter"},
    {427, "io_uring_register"},
    {428, "open_tree"},
    {429, "move_mount"},
    {430, "fsopen"},
    {431, "fsconfig"},
    {432, "fsmount"},
    {433, "fspick"},
    {438, "pidfd_getfd"},
    {440, "process_madvise"},
    {442, "mount_setattr"},
    {443, "quotactl_fd"},
    {447, "memfd_secret"},
    {448, "process_mrelease"},
});

}  // namespace cordon::test

#include "capabilities/kernel_file_systems.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace cordon {

namespace {

// As in the kernel's own sources; those without a name in linux/magic.h are spelled out.
constexpr std::uint32_t kKernelFileSystems[] = {
    PROC_SUPER_MAGIC,
    SYSFS_MAGIC,
    DEVPTS_SUPER_MAGIC,
    CGROUP_SUPER_MAGIC,
    CGROUP2_SUPER_MAGIC,
    DEBUGFS_MAGIC,
    TRACEFS_MAGIC,
    BPF_FS_MAGIC,
    SECURITYFS_MAGIC,
    SELINUX_MAGIC,
    SMACK_MAGIC,
    AAFS_MAGIC,
    0x62656570,  // configfs
    PSTOREFS_MAGIC,
    EFIVARFS_MAGIC,
    BINFMTFS_MAGIC,
    RDTGROUP_SUPER_MAGIC,
    OPENPROM_SUPER_MAGIC,
    USBDEVICE_SUPER_MAGIC,
    XENFS_SUPER_MAGIC,
    BINDERFS_SUPER_MAGIC,
    BDEVFS_MAGIC,
    DMA_BUF_MAGIC,
    DEVMEM_MAGIC,
    SECRETMEM_MAGIC,
    NSFS_MAGIC,
    PIPEFS_MAGIC,
    SOCKFS_MAGIC,
    ANON_INODE_FS_MAGIC,
    0x50494446,  // pidfs
    0x19800202,  // mqueue
    0x65735543,  // fusectl
    0x6E667364,  // nfsd
    0x67596969,  // rpc_pipefs
    0xA647361,   // functionfs
    0xAEE71EE7,  // gadgetfs
};

}  // namespace

bool is_on_kernel_file_system(int fd) noexcept {
  struct statfs info {};
  if (::fstatfs(fd, &info) != 0) return true;
  // f_type is signed and wider on some machines; magic numbers are 32 bits.
  const auto type = static_cast<std::uint32_t>(info.f_type);
  return std::find(std::begin(kKernelFileSystems), std::end(kKernelFileSystems), type) !=
         std::end(kKernelFileSystems);
}

}  // namespace cordon

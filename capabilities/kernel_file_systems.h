#pragma once
// File systems whose files are doors into the kernel rather than stored data. Nothing on them can
// be granted, even by a grant of "/".

namespace cordon {

// `fd` may be O_PATH. An unreadable answer counts as a kernel file system.
bool is_on_kernel_file_system(int fd) noexcept;

}  // namespace cordon

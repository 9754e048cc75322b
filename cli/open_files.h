#pragma once
// Each sandbox takes two descriptors of this process, and many systems allow 1,024 unless asked.

namespace cordon {

// Raises this process's limit as far as it may go.
void allow_many_open_files() noexcept;

}  // namespace cordon

#pragma once
// The descriptors of this process.

namespace cordon {

// Each sandbox takes two, and many systems allow 1,024 unless asked: raises the limit as far as it
// may go.
void allow_many_open_files() noexcept;

// Takes those of the standard streams that were closed, so that no file which is opened later gets
// what is meant for people, or for whoever reads the data. Reading finds the end, writing fails.
// False when it could not.
bool take_standard_streams() noexcept;

}  // namespace cordon

#pragma once
// When the host has too little of something, a failed call says nothing about what was asked for.

#include <cstddef>
#include <string>

#include "capabilities/operation.h"

namespace cordon {

// Of an errno: no descriptor or no memory was left.
bool is_shortage(int error) noexcept;

// Throws std::system_error for a shortage; returns for any other `error`.
void throw_shortage(int error, const std::string& what);

// What helps against it, for people.
inline constexpr const char* kMoreDescriptors = "raise the limit of open files";
inline constexpr const char* kMoreMemory = "check the machine's memory and the kernel log";
const char* remedy_for_shortage(int error) noexcept;

// The errno of a shortage of descriptors that there is now, or 0. For libraries that do not say why
// they could not open something.
int shortage_of_descriptors() noexcept;

// An allocation whose size a guest chooses may fail.
inline constexpr const char* kHostOutOfMemory = "the host is out of memory";

// For who has just taken much: throws std::bad_alloc unless some is left for the small things that
// everybody needs, among them to say that there is no more.
inline constexpr std::size_t kMuchBytes = std::size_t{256} << 10;
void leave_room();

// Of an operation that needed it; `what` as in "Filesystem read".
OperationFailure out_of_memory(const std::string& what);

}  // namespace cordon

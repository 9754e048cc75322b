#pragma once
// Moves the script engine's code onto huge pages, so that a forked child takes six page faults for
// it instead of eighty, and leaves as many page table entries behind.
//
// It is no protection and may fail: the code then stays where it is. What is executable stays
// exactly what the library's own segment made so, read-only, from a file that nobody can open.

#include <cstdint>

namespace cordon::engine {

// Before the process is locked down: mounts a file system (attached nowhere) and reads procfs.
// Not while code of the script engine is on the stack. Returns how many bytes of code the process
// now has on huge pages; 0: this kernel, user or memory gives none.
std::uint64_t move_engine_text_to_huge_pages() noexcept;

}  // namespace cordon::engine

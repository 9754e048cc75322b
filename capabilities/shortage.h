#pragma once
// When the host has too little of something, a failed call says nothing about what was asked for.

#include <string>

namespace cordon {

// Of an errno: no descriptor or no memory was left.
bool is_shortage(int error) noexcept;

// Throws std::system_error for a shortage; returns for any other `error`.
void throw_shortage(int error, const std::string& what);

// What helps against it, for people.
const char* remedy_for_shortage(int error) noexcept;

}  // namespace cordon

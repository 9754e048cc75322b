#pragma once
// Checks and names that the validation of several grants shares.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "capabilities/file_root.h"

namespace cordon {

// "filesystem.read[0]"
std::string element(const std::string& field, std::size_t index);

// Each throws InvalidOption, which names `field`.
void require_limit(const std::string& field, std::uint64_t value);
FileRoot open_root(const std::string& field, const std::string& path);
std::vector<FileRoot> open_roots(const std::string& field, const std::vector<std::string>& paths);

std::vector<std::string> canonical_paths(const std::vector<FileRoot>& roots);

}  // namespace cordon

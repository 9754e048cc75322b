#pragma once
// Checks and names that the validation of several grants shares.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "capabilities/file_root.h"
#include "capabilities/limit_fields.h"

namespace cordon {

// "filesystem.read[0]"
std::string element(const std::string& field, std::size_t index);

// Each throws InvalidOption, which names `field`.
void require_limit(const std::string& field, std::uint64_t value, std::uint64_t least = 1,
                   std::uint64_t most = kMaxLimit);
FileRoot open_root(const std::string& field, const std::string& path);
std::vector<FileRoot> open_roots(const std::string& field, const std::vector<std::string>& paths);

std::vector<std::string> canonical_paths(const std::vector<FileRoot>& roots);

}  // namespace cordon

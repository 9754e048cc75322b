#pragma once
// Digests as they stand in a log.

#include <span>
#include <string>
#include <string_view>

namespace cordon {

// Lower-case hexadecimal, two digits a byte.
std::string hex(std::span<const unsigned char> bytes);

// SHA-256 of `bytes`, as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace cordon

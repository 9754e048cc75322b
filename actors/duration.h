#pragma once
// Limits in milliseconds may be as large as 2^53 - 1; clocks may not.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace cordon {

// At most a year.
inline std::chrono::milliseconds to_duration(std::uint64_t ms) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24 * 365);
  return std::chrono::milliseconds(std::min(ms, static_cast<std::uint64_t>(kLongest.count())));
}

}  // namespace cordon

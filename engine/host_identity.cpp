#include "engine/host_identity.h"

#include <sstream>
#include <string>

namespace cordon::engine {

std::optional<std::uint32_t> choose_host_id(std::string_view id_map, std::uint32_t random) {
  std::istringstream lines{std::string(id_map)};
  std::uint64_t first = 0;
  std::uint64_t outside = 0;
  std::uint64_t count = 0;
  std::uint64_t largest = 0;
  std::uint64_t start_of_largest = 0;
  while (lines >> first >> outside >> count) {
    if (first <= kFirstEngineId && first + count >= std::uint64_t{kFirstEngineId} + kEngineIds) {
      return kFirstEngineId + random % kEngineIds;
    }
    if (count > largest) {
      largest = count;
      start_of_largest = first;
    }
  }
  if (largest == 0 || start_of_largest + largest > UINT32_MAX) return std::nullopt;
  const std::uint64_t half = largest / 2;
  return static_cast<std::uint32_t>(start_of_largest + half + random % (largest - half));
}

}  // namespace cordon::engine

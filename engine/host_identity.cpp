#include "engine/host_identity.h"

#include <sstream>
#include <string>

namespace cordon::engine {

std::optional<std::uint32_t> choose_host_id(std::string_view id_map, std::uint32_t random) {
  struct Extent {
    std::uint64_t first = 0;
    std::uint64_t outside = 0;
    std::uint64_t count = 0;
  };
  std::istringstream lines{std::string(id_map)};
  Extent largest;
  for (Extent extent; lines >> extent.first >> extent.outside >> extent.count;) {
    if (extent.first > UINT32_MAX || extent.count > UINT32_MAX) return std::nullopt;
    const std::uint64_t end = extent.first + extent.count;
    if (extent.first <= kFirstEngineId && end >= std::uint64_t{kFirstEngineId} + kEngineIds) {
      return kFirstEngineId + random % kEngineIds;
    }
    if (extent.count >= largest.count) largest = extent;
  }
  if (largest.count == 0 || largest.first + largest.count > UINT32_MAX) return std::nullopt;
  const std::uint64_t half = largest.count / 2;
  const std::uint64_t id = largest.first + half + random % (largest.count - half);
  if (id == 0 && largest.outside == 0) return std::nullopt;
  return static_cast<std::uint32_t>(id);
}

}  // namespace cordon::engine

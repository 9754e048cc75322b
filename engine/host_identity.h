#pragma once
// Which unprivileged user and group of the host a process runs as that root has started.

#include <cstdint>
#include <optional>
#include <string_view>

namespace cordon::engine {

// Ids that no system hands out: from 0x7ffe0000 on, 65536 of them.
inline constexpr std::uint32_t kFirstEngineId = 0x7ffe'0000;
inline constexpr std::uint32_t kEngineIds = 0x1'0000;

// The id inside of the namespace: "nobody".
inline constexpr std::uint32_t kNamespaceId = 65534;

// For a root whose ids are `id_map` (/proc/self/uid_map or gid_map), chosen by `random`: one of the
// range above; or else, in a container that has fewer ids, one of the upper half of its largest
// extent; or else, where 0 is the only id and stands for an ordinary user outside, 0. None if the
// text is no map, or has no unprivileged id.
std::optional<std::uint32_t> choose_host_id(std::string_view id_map, std::uint32_t random);

}  // namespace cordon::engine

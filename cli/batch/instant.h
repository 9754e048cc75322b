#pragma once
// A moment as people type it.

#include <chrono>
#include <optional>
#include <string_view>

namespace cordon::batch {

// "2026-01-31", "2026-01-31T12:00Z", "2026-01-31T12:00:00.250Z" (UTC), or milliseconds since 1970.
// Nothing for anything else.
std::optional<std::chrono::sys_time<std::chrono::milliseconds>> parse_instant(
    std::string_view text);

}  // namespace cordon::batch

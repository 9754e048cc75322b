#pragma once
// Quantities as people type them. Strict: digits, then at most one unit, and nothing that is zero,
// has a sign or a fraction, or passes 2^53 - 1 once converted.

#include <cstdint>
#include <string_view>

#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// "20ms", "30s", "2m", "1h" in milliseconds. The unit is required.
Result<std::uint64_t, UsageError> parse_duration(std::string_view text);

// "4096B", "64K", "256M", "1G" (also KB, KiB, MB, ...; all are powers of 1024) in bytes. The unit
// is required.
Result<std::uint64_t, UsageError> parse_size(std::string_view text);

// The same, and a bare number is a number of bytes.
Result<std::uint64_t, UsageError> parse_bytes(std::string_view text);

// "100".
Result<std::uint64_t, UsageError> parse_count(std::string_view text);

}  // namespace cordon

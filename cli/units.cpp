#include "cli/units.h"

#include <charconv>
#include <optional>
#include <span>

namespace cordon {
namespace {

constexpr std::uint64_t kMaxSafeInteger = (std::uint64_t{1} << 53) - 1;

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr Unit kDurations[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};

constexpr std::uint64_t kKibi = 1024, kMebi = kKibi << 10, kGibi = kMebi << 10;
constexpr Unit kSizes[] = {{"B", 1},      {"K", kKibi},  {"KB", kKibi},  {"KiB", kKibi},
                           {"M", kMebi},  {"MB", kMebi}, {"MiB", kMebi}, {"G", kGibi},
                           {"GB", kGibi}, {"GiB", kGibi}};
constexpr Unit kBytes[] = {{"", 1}};
constexpr Unit kCounts[] = {{"", 1}};

std::optional<std::uint64_t> parse(std::string_view text, std::span<const Unit> units) {
  std::uint64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || number == 0) return std::nullopt;
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    if (number > kMaxSafeInteger / unit.factor) return std::nullopt;
    return number * unit.factor;
  }
  return std::nullopt;
}

}  // namespace

Result<std::uint64_t, UsageError> parse_duration(std::string_view text) {
  if (const auto value = parse(text, kDurations)) return *value;
  return UsageError{"expected a whole number with a unit (ms, s, m or h), such as 500ms or 30s"};
}

Result<std::uint64_t, UsageError> parse_size(std::string_view text) {
  if (const auto value = parse(text, kSizes)) return *value;
  return UsageError{"expected a whole number with a unit (B, K, M or G), such as 256M"};
}

Result<std::uint64_t, UsageError> parse_bytes(std::string_view text) {
  if (const auto value = parse(text, kBytes)) return *value;
  if (const auto value = parse(text, kSizes)) return *value;
  return UsageError{"expected a whole number of bytes, or one with a unit, such as 65536 or 64K"};
}

Result<std::uint64_t, UsageError> parse_count(std::string_view text) {
  if (const auto value = parse(text, kCounts)) return *value;
  return UsageError{"expected a whole number from 1"};
}

}  // namespace cordon

#include "cli/units.h"

#include <charconv>
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

enum class Problem : std::uint8_t { kForm, kTooLarge };

Result<std::uint64_t, Problem> parse(std::string_view text, std::span<const Unit> units) {
  std::uint64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_huge = status == std::errc::result_out_of_range;
  if ((status != std::errc{} && !is_huge) || (number == 0 && !is_huge)) return Problem::kForm;
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    if (is_huge || number > kMaxSafeInteger / unit.factor) return Problem::kTooLarge;
    return number * unit.factor;
  }
  return Problem::kForm;
}

UsageError refusal(Problem problem, const char* expected, const char* base_unit) {
  if (problem == Problem::kTooLarge) return UsageError{"too large: at most 2^53 - 1", base_unit};
  return UsageError{expected};
}

}  // namespace

Result<std::uint64_t, UsageError> parse_duration(std::string_view text) {
  const auto value = parse(text, kDurations);
  if (value) return *value;
  return refusal(value.error(),
                 "expected a whole number with a unit (ms, s, m or h), such as 500ms or 30s",
                 " milliseconds");
}

Result<std::uint64_t, UsageError> parse_size(std::string_view text) {
  const auto value = parse(text, kSizes);
  if (value) return *value;
  return refusal(value.error(), "expected a whole number with a unit (B, K, M or G), such as 256M",
                 " bytes");
}

Result<std::uint64_t, UsageError> parse_bytes(std::string_view text) {
  const auto value = parse(text, kBytes);
  if (value) return *value;
  const auto with_unit = parse(text, kSizes);
  if (with_unit) return *with_unit;
  return refusal(value.error() == Problem::kTooLarge ? value.error() : with_unit.error(),
                 "expected a whole number of bytes, or one with a unit, such as 65536 or 64K",
                 " bytes");
}

Result<std::uint64_t, UsageError> parse_count(std::string_view text) {
  const auto value = parse(text, kCounts);
  if (value) return *value;
  return refusal(value.error(), "expected a whole number from 1", "");
}

}  // namespace cordon

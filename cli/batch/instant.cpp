#include "cli/batch/instant.h"

#include <charconv>
#include <cstdint>

namespace cordon::batch {
namespace {

using std::chrono::milliseconds;
using Instant = std::chrono::sys_time<milliseconds>;

// What a JavaScript Date can hold.
constexpr std::int64_t kMostMs = 8'640'000'000'000'000;

// Takes `digits` digits off the front.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int number = 0;
  const char* const end = text.data() + digits;
  if (*text.data() == '-') return std::nullopt;
  if (std::from_chars(text.data(), end, number) != std::from_chars_result{end, {}}) {
    return std::nullopt;
  }
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<milliseconds> take_time(std::string_view& text) {
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  milliseconds time = std::chrono::hours(*hour) + std::chrono::minutes(*minute);
  if (take(text, ':')) {
    const auto second = take_number(text, 2);
    if (!second || *second > 59) return std::nullopt;
    time += std::chrono::seconds(*second);
    if (take(text, '.')) {
      const auto fraction = take_number(text, 3);
      if (!fraction) return std::nullopt;
      time += milliseconds(*fraction);
    }
  }
  if (!take(text, 'Z')) return std::nullopt;
  return time;
}

std::optional<Instant> take_iso(std::string_view text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  Instant instant = std::chrono::sys_days(date);
  if (text.empty()) return instant;
  if (!take(text, 'T')) return std::nullopt;
  const auto time = take_time(text);
  if (!time || !text.empty()) return std::nullopt;
  return instant + *time;
}

}  // namespace

std::optional<Instant> parse_instant(std::string_view text) {
  std::int64_t ms = 0;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data(), end, ms) == std::from_chars_result{end, {}}) {
    if (ms < -kMostMs || ms > kMostMs) return std::nullopt;
    return Instant(milliseconds(ms));
  }
  return take_iso(text);
}

}  // namespace cordon::batch

#include "cli/batch/settings.h"

#include <charconv>
#include <string_view>

#include "cli/batch/instant.h"
#include "cli/units.h"

namespace cordon::batch {
namespace {

constexpr std::uint64_t kMostParallel = 4096;
constexpr std::uint64_t kMostRetries = 100;

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const bool ok = std::from_chars(text.data(), end, number) == std::from_chars_result{end, {}};
  return ok ? std::optional(number) : std::nullopt;
}

std::optional<Shard> shard_of(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = number_in<std::uint64_t>(text.substr(0, slash));
  const auto count = number_in<std::uint64_t>(text.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count) return std::nullopt;
  return Shard{*index, *count};
}

std::optional<std::uint64_t> retries_of(std::string_view text) {
  const auto retries = number_in<std::uint64_t>(text);
  return retries && *retries <= kMostRetries ? retries : std::nullopt;
}

std::optional<double> percent_of(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  const auto percent = number_in<double>(text);
  return percent && *percent >= 0 && *percent <= 100 ? percent : std::nullopt;
}

std::optional<Concurrency> concurrency_of(const std::string& text, std::uint64_t job_memory_bytes) {
  if (text == "auto") return Concurrency::automatic(Machine::now(), job_memory_bytes);
  const auto count = parse_count(text);
  if (!count || *count > kMostParallel) return std::nullopt;
  return Concurrency::fixed(*count);
}

}  // namespace

Result<BatchSettings, UsageError> read_settings(const TypedSettings& typed,
                                                std::uint64_t job_memory_bytes) {
  BatchSettings settings;
  const auto concurrency = concurrency_of(typed.parallel, job_memory_bytes);
  if (!concurrency) {
    return UsageError{"-j ", typed.parallel, ": expected auto or a whole number from 1 to 4096"};
  }
  settings.concurrency = *concurrency;
  if (typed.shard) {
    const auto shard = shard_of(*typed.shard);
    if (!shard) {
      return UsageError{"--shard=", *typed.shard, ": expected I/N with I from 1 to N, such as 2/8"};
    }
    settings.shard = *shard;
  }
  if (typed.retry) {
    const auto retries = retries_of(*typed.retry);
    if (!retries) {
      return UsageError{"--retry=", *typed.retry, ": expected a whole number from 0 to 100"};
    }
    settings.run.retries = *retries;
  }
  if (typed.seed && !(settings.run.seed = number_in<std::uint64_t>(*typed.seed))) {
    return UsageError{"--seed=", *typed.seed, ": expected a whole number from 0"};
  }
  if (typed.clock && !(settings.run.clock = parse_instant(*typed.clock))) {
    return UsageError{"--clock=", *typed.clock,
                      ": expected an instant in UTC, such as 2026-01-31T12:00:00Z, or milliseconds "
                      "since 1970"};
  }
  if (typed.fail_under && !(settings.fail_under = percent_of(*typed.fail_under))) {
    return UsageError{"--fail-under=", *typed.fail_under, ": expected a percentage from 0 to 100"};
  }
  return settings;
}

}  // namespace cordon::batch

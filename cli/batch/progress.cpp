#include "cli/batch/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/output.h"

namespace cordon::batch {
namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(10);
constexpr int kBarWidth = 20;
constexpr const char* kClearLine = "\r\x1b[K";

std::string formatted(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string time_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::max(seconds, 0.0));
  if (whole < 60) return std::to_string(whole) + "s";
  if (whole < 3600) return std::to_string(whole / 60) + "m" + std::to_string(whole % 60) + "s";
  return std::to_string(whole / 3600) + "h" + std::to_string(whole / 60 % 60) + "m";
}

const char* colour_of(Verdict verdict) {
  if (verdict == Verdict::kPassed) return "\x1b[32m";
  if (verdict == Verdict::kSandboxError || verdict == Verdict::kInvalidJob) return "\x1b[33m";
  return "\x1b[31m";
}

std::string counts(const Tally& tally) {
  std::string text;
  for (const Verdict verdict : kVerdicts) {
    if (tally.count(verdict) == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(tally.count(verdict)) + " " + std::string(to_string(verdict));
  }
  return text;
}

// One line of a terminal: a longer one could not be taken away again.
std::string fitted(std::string text) {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    text.resize(std::min<std::size_t>(text.size(), size.ws_col - 1U));
  }
  return text;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  out.resize(std::max(width, out.size()), ' ');
  return out;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

}  // namespace

Progress::Look Progress::Look::of_standard_error(bool quiet) {
  if (quiet) return {};
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const char* const no_colour = std::getenv("NO_COLOR");
  const bool colour = terminal && (no_colour == nullptr || *no_colour == '\0');
  return {terminal ? Mode::kBar : Mode::kLines, colour};
}

std::string Progress::bar(const Tally& tally) const {
  const double seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  const double rate = seconds > 0 ? static_cast<double>(tally.total() - past_) / seconds : 0;
  std::string text;
  if (total_bytes_ > 0) {
    const double part =
        std::min(static_cast<double>(done_bytes_.load()) / static_cast<double>(total_bytes_), 1.0);
    if (look_.mode == Mode::kBar) {
      const auto filled = static_cast<std::size_t>(part * kBarWidth);
      text += "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "] ";
    }
    text += formatted("%.0f%%", 100 * part);
    if (part > 0 && part < 1) text += ", " + time_text(seconds * (1 - part) / part) + " left";
    text += ", ";
  }
  text += std::to_string(tally.total()) + " done, " + formatted("%.0f", rate) + "/s";
  const std::string verdicts = counts(tally);
  return verdicts.empty() ? text : text + ": " + verdicts;
}

void Progress::tick(const Tally& tally) {
  if (look_.mode == Mode::kQuiet) return;
  const auto now = Clock::now();
  const bool is_bar = look_.mode == Mode::kBar;
  if (now - shown_ < (is_bar ? std::chrono::milliseconds(kBarInterval)
                             : std::chrono::milliseconds(kLineInterval))) {
    return;
  }
  shown_ = now;
  tell_raw(is_bar ? kClearLine + fitted(bar(tally)) : bar(tally) + "\n");
}

void Progress::finish(const Tally& tally, bool interrupted) {
  if (look_.mode == Mode::kQuiet) return;
  if (look_.mode == Mode::kBar) tell_raw(kClearLine);
  if (interrupted) tell_raw("interrupted: --resume continues\n");
  const double seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  tell_raw(summary_table(tally, tally.total() - past_, seconds, look_.colour));
}

std::string summary_table(const Tally& tally, std::uint64_t fresh, double seconds, bool colour) {
  constexpr std::size_t kName = 15;
  constexpr std::size_t kNumber = 9;
  std::string text;
  const auto row = [&](std::string_view name, const std::string& number, const std::string& more) {
    text += padded(name, kName) + right(number, kNumber) + more + "\n";
  };
  for (const Verdict verdict : kVerdicts) {
    const std::uint64_t count = tally.count(verdict);
    if (count == 0) continue;
    const double percent = 100 * static_cast<double>(count) / static_cast<double>(tally.total());
    const std::string name(to_string(verdict));
    text += colour ? colour_of(verdict) : "";
    row(name, std::to_string(count), right(formatted("%.1f%%", percent), kNumber));
    text += colour ? "\x1b[0m" : "";
  }
  row("total", std::to_string(tally.total()),
      seconds > 0 ? "  in " + time_text(seconds) + ", " +
                        formatted("%.0f/s", static_cast<double>(fresh) / seconds)
                  : "");
  if (tally.quantile_ms(1) > 0) {
    row("wall time", formatted("%.1f", tally.quantile_ms(0.5)),
        " ms p50, " + formatted("%.1f", tally.quantile_ms(0.95)) + " p95, " +
            formatted("%.1f", tally.quantile_ms(0.99)) + " p99");
  }
  for (const Tally::PassAt& at : tally.pass_at()) {
    row("pass@" + std::to_string(at.k), formatted("%.1f%%", at.percent),
        "  of " + std::to_string(at.tasks) + (at.tasks == 1 ? " task" : " tasks"));
  }
  return text;
}

}  // namespace cordon::batch

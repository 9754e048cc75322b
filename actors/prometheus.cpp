#include <cordon/metrics.h>

#include <array>
#include <charconv>
#include <string_view>

namespace cordon {

namespace {

// Shortest text without an exponent that reads back as the same number: at most 326 characters.
std::string number(double value) {
  std::array<char, 352> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
  return {text.data(), end};
}

class Page {
 public:
  void header(std::string_view name, std::string_view type, std::string_view help) {
    line({"# HELP ", name, " ", help});
    line({"# TYPE ", name, " ", type});
  }
  void sample(std::string_view name, std::string_view value) { line({name, " ", value}); }
  // Labels are the host's own words: none needs escaping.
  void sample(std::string_view name, std::string_view label, std::string_view what,
              std::string_view value) {
    line({name, "{", label, "=\"", what, "\"} ", value});
  }
  std::string take() { return std::move(text_); }

 private:
  void line(std::initializer_list<std::string_view> parts) {
    for (const auto part : parts) text_ += part;
    text_ += '\n';
  }
  std::string text_;
};

void counters(Page& page, std::string_view name, std::string_view label, std::string_view help,
              const std::map<std::string, std::uint64_t>& values) {
  page.header(name, "counter", help);
  for (const auto& [what, value] : values) {
    page.sample(name, label, what, std::to_string(value));
  }
}

void single(Page& page, std::string_view name, std::string_view type, std::string_view help,
            std::uint64_t value) {
  page.header(name, type, help);
  page.sample(name, std::to_string(value));
}

void histogram(Page& page, const std::string& name, std::string_view help,
               const Histogram& values) {
  page.header(name, "histogram", help);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < values.counts.size(); ++i) {
    below += values.counts[i];
    const std::string end = i < values.bounds.size() ? number(values.bounds[i]) : "+Inf";
    page.sample(name + "_bucket", "le", end, std::to_string(below));
  }
  page.sample(name + "_sum", number(values.sum));
  page.sample(name + "_count", std::to_string(values.count));
}

}  // namespace

std::string to_prometheus(const Metrics& metrics) {
  Page page;
  counters(page, "cordon_calls_total", "status", "Calls that have ended.", metrics.calls);
  counters(page, "cordon_refused_calls_total", "reason", "Calls that were not started.",
           metrics.refused_calls);
  counters(page, "cordon_operations_total", "capability", "Capability calls performed.",
           metrics.operations);
  counters(page, "cordon_denials_total", "capability", "Capability calls refused, limits reached.",
           metrics.denials);
  histogram(page, "cordon_queue_seconds", "From a call's request to its start.",
            metrics.queue_seconds);
  histogram(page, "cordon_call_seconds", "From a call's start to its outcome.",
            metrics.call_seconds);
  histogram(page, "cordon_cpu_seconds", "CPU time of a call's child.", metrics.cpu_seconds);
  histogram(page, "cordon_peak_memory_bytes", "Largest resident set of a call's child.",
            metrics.peak_memory_bytes);
  single(page, "cordon_bytes_in_total", "counter", "Bytes of frames to children.",
         metrics.bytes_in);
  single(page, "cordon_bytes_out_total", "counter", "Bytes of frames from children.",
         metrics.bytes_out);
  single(page, "cordon_running_calls", "gauge", "Calls that run.", metrics.running_calls);
  single(page, "cordon_waiting_calls", "gauge", "Calls that wait.", metrics.waiting_calls);
  single(page, "cordon_children_alive", "gauge", "Children with a call.", metrics.children_alive);
  return page.take();
}

}  // namespace cordon

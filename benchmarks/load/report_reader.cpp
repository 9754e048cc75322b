// Reads what report_json.cpp writes, from a file that may hold anything.
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "benchmarks/load/report_json.h"

namespace cordon::load {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxJobs = 1000;
constexpr std::size_t kMaxItems = 1000;          // of a list in a job
constexpr std::size_t kMaxText = 1000;           // bytes
constexpr double kMaxNumber = 9007199254740991;  // 2^53 - 1

class Bad : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value and the path that leads to it, for messages.
class Node {
 public:
  Node(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json.is_object()) fail("is not an object");
  }

  bool has(const char* key) const { return json_.contains(key); }
  Node object(const char* key) const { return {at(key), inner(key)}; }

  double number(const char* key) const { return number_of(at(key), inner(key)); }

  template <class Count>
  Count count(const char* key) const {
    return count_of<Count>(at(key), inner(key));
  }

  std::string text(const char* key) const {
    const Json& value = at(key);
    const auto* text = value.get_ptr<const std::string*>();
    if (!text || text->size() > kMaxText) throw Bad(inner(key) + " is not a short text");
    return *text;
  }

  std::pair<std::uint64_t, std::uint64_t> two_counts(const char* key) const {
    const Json& list = list_of(key, 2);
    if (list.size() != 2) throw Bad(inner(key) + " is not a list of two numbers");
    return {count_of<std::uint64_t>(list[0], inner(key)),
            count_of<std::uint64_t>(list[1], inner(key))};
  }

  Distribution distribution(const char* key) const {
    Distribution points;
    for (const Json& point : list_of(key, kMaxItems)) {
      if (!point.is_array() || point.size() != 2) {
        throw Bad(inner(key) + " holds what is not a pair of numbers");
      }
      points.emplace_back(number_of(point[0], inner(key)), number_of(point[1], inner(key)));
    }
    return points;
  }

  std::vector<Node> objects(const char* key, std::size_t most) const {
    std::vector<Node> nodes;
    for (const Json& each : list_of(key, most)) {
      nodes.emplace_back(each, inner(key) + "[" + std::to_string(nodes.size()) + "]");
    }
    return nodes;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw Bad((path_.empty() ? "it" : path_) + " " + why);
  }

 private:
  std::string inner(const char* key) const { return path_.empty() ? key : path_ + "." + key; }

  const Json& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) throw Bad(inner(key) + " is missing");
    return *found;
  }

  const Json& list_of(const char* key, std::size_t most) const {
    const Json& list = at(key);
    if (!list.is_array()) throw Bad(inner(key) + " is not a list");
    if (list.size() > most) {
      throw Bad(inner(key) + " holds more than " + std::to_string(most) + " items");
    }
    return list;
  }

  static double number_of(const Json& value, const std::string& path) {
    const double number = value.is_number() ? value.get<double>() : -1;
    if (!(number >= 0 && number <= kMaxNumber)) throw Bad(path + " is not a number from 0");
    return number;
  }

  template <class Count>
  static Count count_of(const Json& value, const std::string& path) {
    const double number = number_of(value, path);
    if (number != std::floor(number) ||
        number > static_cast<double>(std::numeric_limits<Count>::max())) {
      throw Bad(path + " is not a whole number");
    }
    return static_cast<Count>(number);
  }

  const Json& json_;
  std::string path_;
};

Summary read_summary(const Node& node) {
  return {.count = node.count<std::uint64_t>("samples"),
          .mean = node.number("mean"),
          .min = node.number("min"),
          .p50 = node.number("p50"),
          .p90 = node.number("p90"),
          .p99 = node.number("p99"),
          .p999 = node.number("p999"),
          .max = node.number("max")};
}

OpenLoad read_open(const Node& node) {
  OpenLoad load{.per_second = node.number("perSecond"),
                .arrivals = node.text("arrivals"),
                .seed = node.count<std::uint64_t>("seed"),
                .busy = node.count<std::uint64_t>("busy"),
                .wrong = node.count<std::uint64_t>("wrong"),
                .held = node.count<std::uint64_t>("held"),
                .unbegun = node.count<std::uint64_t>("unbegun"),
                .start_lag_ms = read_summary(node.object("startLagMs"))};
  if (node.has("capacityPercent")) load.capacity_percent = node.number("capacityPercent");
  if (node.has("firstWrong")) load.first_wrong = node.text("firstWrong");
  return load;
}

Footprint read_footprint(const Node& node) {
  return {.seconds = node.number("seconds"),
          .host_kib = node.count<std::uint64_t>("hostKib"),
          .service_kib = node.count<std::uint64_t>("serviceKib"),
          .descriptors = node.count<std::uint64_t>("descriptors"),
          .threads = node.count<std::uint64_t>("threads"),
          .processes = node.count<std::uint64_t>("processes")};
}

JobReport read_job(const Node& node) {
  JobReport report;
  report.job = node.text("job");
  report.unit = node.text("unit");
  report.callers = node.count<std::size_t>("callers");
  report.parallel = node.count<std::size_t>("parallel");
  report.spare_children = node.count<std::size_t>("spareChildren");
  report.round_trips = node.count<std::uint64_t>("roundTrips");
  report.calls = node.count<std::uint64_t>("calls");
  report.samples = read_summary(node);
  std::tie(report.host_kib_before, report.host_kib_after) = node.two_counts("hostKib");
  std::tie(report.service_kib_before, report.service_kib_after) = node.two_counts("serviceKib");
  if (node.has("callsPerSecond")) {
    report.calls_per_second = node.number("callsPerSecond");
    const Node cpu = node.object("cpuMsPerCall");
    report.host_cpu_ms = cpu.number("host");
    report.child_cpu_ms = cpu.number("child");
    report.service_cpu_ms = cpu.number("services");
  }
  if (node.has("open")) report.open = read_open(node.object("open"));
  for (const Node& kind : node.objects("kinds", kMaxItems)) {
    report.kinds.push_back(
        {kind.text("kind"), read_summary(kind), kind.distribution("distribution")});
  }
  report.distribution = node.distribution("distribution");
  for (const Node& look : node.objects("footprints", kMaxItems)) {
    report.footprints.push_back(read_footprint(look));
  }
  return report;
}

BenchReport read(const Json& json) {
  const Node node(json, "");
  if (!node.has("format") || node.text("format") != kReportFormat) {
    node.fail("is no report of cordon bench");
  }
  const auto version = node.count<std::uint64_t>("version");
  if (version != kReportVersion) {
    throw Bad("it has version " + std::to_string(version) + " of the format; this cordon reads " +
              std::to_string(kReportVersion));
  }
  BenchReport report;
  report.engine = node.text("engine");
  report.huge_text_kib = node.count<std::uint64_t>("hugeTextKib");
  report.huge_data_kib = node.count<std::uint64_t>("hugeDataKib");
  const Node machine = node.object("machine");
  report.machine = {.date = node.text("date"),
                    .cordon = node.text("cordon"),
                    .cpu = machine.text("cpu"),
                    .cpus = machine.count<unsigned>("cpus"),
                    .kernel = machine.text("kernel"),
                    .load_before = machine.number("loadBefore"),
                    .load_after = machine.number("loadAfter")};
  if (machine.has("stalls")) {
    const Node stalls = machine.object("stalls");
    report.machine.stalls = Stalls{.watched_s = stalls.number("watchedS"),
                                   .over_one_ms = stalls.count<std::uint64_t>("overOneMs"),
                                   .longest_ms = stalls.number("longestMs"),
                                   .lost_percent = stalls.number("lostPercent")};
  }
  for (const Node& job : node.objects("jobs", kMaxJobs)) report.jobs.push_back(read_job(job));
  return report;
}

}  // namespace

Result<BenchReport, ReadError> read_report(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return ReadError{"it is not JSON"};
  try {
    return read(json);
  } catch (const Bad& error) {
    return ReadError{error.what()};
  }
}

}  // namespace cordon::load

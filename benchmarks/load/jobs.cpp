#include "benchmarks/load/jobs.h"

#include <nlohmann/json.hpp>

#include "benchmarks/load/programs.h"

namespace cordon::load {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kLoopLimitMs = 20;
// Enough for a spare to be forked on a machine that is not overloaded.
constexpr auto kPauseForSpare = 5ms;

Job add_one() {
  Job job;
  job.program = kAddOne;
  job.arguments = Value::from_json("[41]");
  job.result = "42";
  return job;
}

Job add_one_warm() {
  Job job = add_one();
  job.spare_waits = true;
  job.pause = kPauseForSpare;
  return job;
}

Job round_trips(const JobSettings& settings) {
  Job job;
  job.unit = "µs";
  job.program = kRoundTrips;
  job.options.environment["A"] = "hello";
  job.options.resources.max_operations = settings.round_trips;
  job.arguments = Value::from_json("[" + std::to_string(settings.round_trips) + "]");
  job.result = R"("hello")";
  job.timed_inside = settings.round_trips;
  return job;
}

Job compute(int scale, std::string_view result) {
  Job job;
  job.program = kCompute;
  job.arguments = Value::from_json("[" + std::to_string(scale) + "]");
  job.result = result;
  return job;
}

Job endless_loop() {
  Job job;
  job.program = kEndlessLoop;
  job.options.resources.wall_clock_ms = kLoopLimitMs;
  job.status = Status::kTimeout;
  job.capability = "resource.wallClock";
  return job;
}

Job echo() {
  const std::string arguments = large_argument();
  Job job;
  job.program = kEcho;
  job.arguments = Value::from_json(arguments);
  job.result = arguments.substr(1, arguments.size() - 2);  // without the list of arguments
  return job;
}

Job read_file(const JobSettings& settings) {
  Job job;
  job.program = kReadLength;
  job.options.filesystem = SandboxFilesystemGrant{.read = {settings.data_file.string()}};
  job.arguments = Value::from(nlohmann::json::array({settings.data_file.string()}));
  job.result = std::to_string(kDataFileBytes);
  return job;
}

std::string shortened(const std::string& text) {
  constexpr std::size_t kShown = 200;
  return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
}

void require(bool good, const std::string& expected, const std::string& got) {
  if (!good) throw WrongResult("expected " + shortened(expected) + ", got " + shortened(got));
}

}  // namespace

Job make_job(std::string_view name, const JobSettings& settings) {
  if (name == "J1") return add_one();
  if (name == "J1w") return add_one_warm();
  if (name == "J2") return round_trips(settings);
  if (name == "J3") return compute(kComputeScale, kComputeResult);
  if (name == "J5") return endless_loop();
  if (name == "J6") return echo();
  if (name == "J7") return read_file(settings);
  throw std::invalid_argument("no job " + std::string(name));
}

Job make_short_compute() { return compute(kShortComputeScale, kShortComputeResult); }

Job make_denial() {
  Job job;
  job.program = kAskInVain;
  job.status = Status::kDenied;
  job.capability = "environment";
  return job;
}

std::vector<double> check_call(const Job& job, const Outcome& outcome) {
  const std::string why = outcome.error ? ": " + outcome.error->message : "";
  require(outcome.status == job.status, to_string(job.status), to_string(outcome.status) + why);
  if (outcome.status != Status::kOk) {
    const std::string refused = outcome.denial ? outcome.denial->capability : "";
    require(refused == job.capability, job.capability, refused);
    return {};
  }
  if (job.timed_inside == 0) {
    const std::string& got = outcome.value().json();
    require(got == job.result, job.result, got);
    return {};
  }
  const nlohmann::json pair = outcome.value().view();
  require(pair.at(0).dump() == job.result, job.result, pair.at(0).dump());
  auto times = pair.at(1).get<std::vector<double>>();
  require(times.size() == job.timed_inside, std::to_string(job.timed_inside) + " times",
          std::to_string(times.size()));
  return times;
}

}  // namespace cordon::load

#include "benchmarks/load/measurement.h"

#include <cordon/sandbox.h>

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "benchmarks/load/begun_calls.h"
#include "benchmarks/load/closed_loop.h"
#include "benchmarks/load/data_file.h"
#include "benchmarks/load/idle_memory.h"
#include "benchmarks/load/open_loop.h"
#include "benchmarks/load/processes.h"
#include "benchmarks/load/workload.h"

namespace cordon::load {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t callers_of(const LoadSettings& settings) {
  return settings.callers.value_or(settings.parallel.value_or(1));
}

RuntimeOptions runtime_options(const LoadSettings& settings, std::size_t spares) {
  RuntimeOptions options;
  options.spare_children = spares;
  options.max_concurrent_calls =
      settings.parallel.value_or(settings.per_second ? 0 : callers_of(settings));
  options.max_queued_calls = std::max(settings.max_queued, callers_of(settings));
  options.audit = settings.audit;
  return options;
}

CallResult make_call(Runtime& runtime, const Workload& workload, std::uint64_t number) {
  const Job& job = workload.kinds[workload.kind_of(number)].job;
  const auto began = Clock::now();
  AISandbox sandbox = sandbox_for(runtime, workload, number);
  const Outcome outcome = sandbox.call(job.arguments);
  const std::chrono::duration<double, std::milli> took = Clock::now() - began;
  return judge(workload, number, outcome, took.count());
}

// What a call left behind would be counted among the engine's processes for ever.
void require_all_gone(std::size_t services) {
  if (descendants().size() > services)
    throw WrongResult("a process is left of a call that is over");
}

Distribution distribution_of(const Histogram& samples) {
  Distribution points;
  if (samples.count() == 0) return points;
  const auto count = static_cast<double>(samples.count());
  // Halving what is left out, as far as there are samples to tell: 0.5, 0.75, 0.875, ...
  for (double left = 1; left * count >= 1; left /= 2) {
    for (const double share : {1 - left * 0.75, 1 - left * 0.5}) {
      points.emplace_back(share, samples.quantile(share));
    }
  }
  points.emplace_back(1, samples.quantile(1));
  return points;
}

void add_tally(JobReport& report, const Tally& tally, const Workload& workload) {
  const Histogram all = tally.all();
  report.samples = all.summary();
  report.distribution = distribution_of(all);
  report.calls = tally.calls;
  if (!workload.blend()) return;
  for (std::size_t kind = 0; kind < tally.kinds.size(); ++kind) {
    const Histogram& samples = tally.kinds[kind];
    if (samples.count() == 0) continue;
    report.kinds.push_back(
        {workload.kinds[kind].name, samples.summary(), distribution_of(samples)});
  }
}

Measured measure_memory(std::string_view name, const LoadSettings& settings) {
  if (name == kMemoryJob) return measure_idle_memory(settings);
  if (name == kProcessMemoryJob) return measure_idle_process_memory(settings);
  return measure_spare_memory(settings);
}

}  // namespace

class LoadSession::Impl {
 public:
  Impl(std::string_view name, const LoadSettings& settings)
      : name_(name),
        settings_(settings),
        workload_(make_workload(name, {settings.round_trips, data_file_.path()})),
        spares_(settings.spare_children.value_or(
            workload_.spare_waits() ? settings.parallel.value_or(callers_of(settings)) + 1 : 0)),
        runtime_(runtime_options(settings, spares_)) {
    warm_up();
  }

  JobReport closed_loop(std::size_t callers) {
    LoopResult loop;
    JobReport report = measured([&] {
      loop = run_closed_loop({.callers = callers,
                              .duration = settings_.duration,
                              .calls = settings_.calls,
                              .pause = workload_.pause()},
                             next_, [this](std::uint64_t number) { return call(number); });
      next_ += loop.tally.calls;
      return loop.tally.child_cpu_ms;
    });
    report.unit = workload_.unit();
    report.callers = callers;
    finish(report, loop.tally, loop.tally.calls, loop.seconds);
    return report;
  }

  JobReport open_loop(double per_second) {
    OpenResult loop;
    JobReport report = measured([&] {
      SteadyTimeline timeline;
      BegunCalls calls(runtime_, workload_, timeline);
      loop = run_open_loop({.per_second = per_second,
                            .arrivals = settings_.arrivals,
                            .seed = settings_.seed,
                            .duration = settings_.duration,
                            .calls = settings_.calls,
                            .max_in_flight = settings_.max_in_flight},
                           next_, timeline, [&calls](std::uint64_t number, BegunCalls::Done done) {
                             calls.begin(number, std::move(done));
                           });
      next_ += loop.start_lag_ms.count();
      return loop.tally.child_cpu_ms;
    });
    report.unit = "ms";
    report.open = OpenLoad{.per_second = per_second,
                           .arrivals = to_string(settings_.arrivals),
                           .seed = settings_.seed,
                           .busy = loop.busy,
                           .wrong = loop.wrong,
                           .first_wrong = std::move(loop.first_wrong),
                           .held = loop.held,
                           .unbegun = loop.unbegun,
                           .start_lag_ms = loop.start_lag_ms.summary()};
    finish(report, loop.tally, loop.start_lag_ms.count(), loop.seconds);
    return report;
  }

  EngineInfo engine() const { return runtime_.engine(); }

 private:
  CallResult call(std::uint64_t number) { return make_call(runtime_, workload_, number); }

  void warm_up() {
    LoopPlan plan{.callers = callers_of(settings_),
                  .duration = std::chrono::hours(1),
                  .calls = std::max<std::uint64_t>(settings_.warm_up_calls, 1),
                  .pause = workload_.pause()};
    if (settings_.warm_up_time) {
      plan.duration = *settings_.warm_up_time;
      plan.calls = std::nullopt;
    }
    const LoopResult loop =
        run_closed_loop(plan, 0, [this](std::uint64_t number) { return call(number); });
    next_ = loop.tally.calls;
  }

  // What the machine counts while `run` runs, in all; it returns the sandboxes' CPU milliseconds.
  template <class Run>
  JobReport measured(const Run& run) {
    const auto services = descendants();
    JobReport report;
    report.host_kib_before = pss_kib({::getpid()}).value_or(0);
    report.service_kib_before = pss_kib(services).value_or(0);
    FootprintWatch watch(services, settings_.duration);
    const double host_cpu = own_cpu_ms();
    const double other_cpu = descendants_cpu_ms();
    report.child_cpu_ms = run();
    report.host_cpu_ms = own_cpu_ms() - host_cpu;
    report.service_cpu_ms = std::max(descendants_cpu_ms() - other_cpu - report.child_cpu_ms, 0.0);
    report.footprints = watch.finish();
    if (spares_ == 0) require_all_gone(services.size());
    report.host_kib_after = pss_kib({::getpid()}).value_or(0);
    report.service_kib_after = pss_kib(descendants()).value_or(0);
    return report;
  }

  // `begun` calls were paid for, whether or not they came to what they must.
  void finish(JobReport& report, const Tally& tally, std::uint64_t begun, double seconds) const {
    report.job = name_;
    report.parallel = settings_.parallel.value_or(0);
    report.spare_children = spares_;
    if (name_ == "J2") report.round_trips = settings_.round_trips;
    add_tally(report, tally, workload_);
    const auto calls = static_cast<double>(std::max<std::uint64_t>(begun, 1));
    report.host_cpu_ms /= calls;
    report.child_cpu_ms /= calls;
    report.service_cpu_ms /= calls;
    report.calls_per_second = static_cast<double>(tally.calls) / seconds;
  }

  const std::string name_;
  const LoadSettings settings_;
  const DataFile data_file_{kDataFileBytes, settings_.directory};
  const Workload workload_;
  const std::size_t spares_;
  Runtime runtime_;
  std::uint64_t next_ = 0;  // number of a call
};

LoadSession::LoadSession(std::string_view name, const LoadSettings& settings)
    : impl_(std::make_unique<Impl>(name, settings)) {}
LoadSession::~LoadSession() = default;
JobReport LoadSession::closed_loop(std::size_t callers) { return impl_->closed_loop(callers); }
JobReport LoadSession::open_loop(double per_second) { return impl_->open_loop(per_second); }
EngineInfo LoadSession::engine() const { return impl_->engine(); }

Measured measure_job(std::string_view name, const LoadSettings& settings) {
  if (!calls_in_a_loop(name)) {
    Measured measured = measure_memory(name, settings);
    measured.report.job = name;
    return measured;
  }
  LoadSession session(name, settings);
  JobReport report = settings.per_second ? session.open_loop(*settings.per_second)
                                         : session.closed_loop(callers_of(settings));
  return {std::move(report), session.engine()};
}

}  // namespace cordon::load

#include "benchmarks/load/measurement.h"

#include <cordon/sandbox.h>

#include <unistd.h>

#include <algorithm>

#include "benchmarks/load/closed_loop.h"
#include "benchmarks/load/data_file.h"
#include "benchmarks/load/idle_memory.h"
#include "benchmarks/load/jobs.h"
#include "benchmarks/load/processes.h"
#include "benchmarks/load/programs.h"

namespace cordon::load {
namespace {

using Clock = std::chrono::steady_clock;

RuntimeOptions runtime_options(const LoadSettings& settings, std::size_t spares) {
  RuntimeOptions options;
  options.spare_children = spares;
  options.max_concurrent_calls = settings.callers;
  options.audit = settings.audit;
  return options;
}

CallResult make_call(Runtime& runtime, const Job& job, std::uint64_t number) {
  std::string source = distinct_source(job.program, number);
  const auto began = Clock::now();
  AISandbox sandbox(runtime, std::move(source), job.options);
  const Outcome outcome = sandbox.call(job.arguments);
  const std::chrono::duration<double, std::milli> took = Clock::now() - began;
  return {check_call(job, outcome, took.count()), outcome.usage.cpu_ms};
}

// What a call left behind would be counted among the engine's processes for ever.
void require_all_gone(std::size_t services) {
  if (descendants().size() > services)
    throw WrongResult("a process is left of a call that is over");
}

JobReport measure_loop(const Job& job, const LoadSettings& settings) {
  const std::size_t spares =
      settings.spare_children.value_or(job.spare_waits ? settings.callers + 1 : 0);
  Runtime runtime(runtime_options(settings, spares));
  const MakeCall call = [&](std::uint64_t number) { return make_call(runtime, job, number); };

  LoopPlan plan{.callers = settings.callers,
                .duration = std::chrono::hours(1),
                .calls = std::max<std::uint64_t>(settings.warm_up_calls, 1),
                .pause = job.pause};
  run_closed_loop(plan, 0, call);
  const std::uint64_t first = *plan.calls;
  const auto services = descendants();

  JobReport report;
  report.host_kib_before = pss_kib(::getpid());
  report.service_kib_before = pss_kib(services);
  const double host_cpu = own_cpu_ms();
  const double other_cpu = descendants_cpu_ms();
  plan.duration = settings.duration;
  plan.calls = settings.calls;
  LoopResult loop = run_closed_loop(plan, first, call);
  const auto calls = static_cast<double>(loop.calls);
  report.host_cpu_ms = (own_cpu_ms() - host_cpu) / calls;
  report.child_cpu_ms = loop.child_cpu_ms / calls;
  report.service_cpu_ms =
      std::max((descendants_cpu_ms() - other_cpu - loop.child_cpu_ms) / calls, 0.0);
  if (spares == 0) require_all_gone(services.size());
  report.host_kib_after = pss_kib(::getpid());
  report.service_kib_after = pss_kib(descendants());
  report.engine = runtime.engine();
  report.unit = job.unit;
  report.callers = settings.callers;
  report.spare_children = spares;
  report.calls = loop.calls;
  report.calls_per_second = calls / loop.seconds;
  report.samples = summarise(std::move(loop.samples));
  return report;
}

}  // namespace

JobReport measure_job(std::string_view name, const LoadSettings& settings) {
  JobReport report;
  if (name == kMemoryJob) {
    report = measure_idle_memory(settings);
  } else if (name == kSpareMemoryJob) {
    report = measure_spare_memory(settings);
  } else {
    const DataFile data_file(kDataFileBytes);
    report = measure_loop(make_job(name, {settings.round_trips, data_file.path()}), settings);
  }
  report.job = name;
  return report;
}

}  // namespace cordon::load

#include "benchmarks/load/workload.h"

#include <algorithm>
#include <utility>

#include "benchmarks/load/programs.h"

namespace cordon::load {
namespace {

constexpr JobTitle kTitles[] = {
    {"J1", "a cold fresh sandbox: x + 1, compiled, run, gone"},
    {"J1w", "the same where a sandbox is waiting"},
    {"J2", "one capability round trip, timed by the guest"},
    {"J3", "compute: numbers, JSON, sort, regular expression, Map"},
    {"J4", "memory (PSS) that each live sandbox adds which has run and waits for ever"},
    {"J4p", "memory (PSS) of one of these, its share of what all have in common included"},
    {"J4w", "memory (PSS) that each sandbox adds which waits for its first call"},
    {"J5", "an endless loop under a limit of 20 ms, until it is gone"},
    {"J6", "1 MB of JSON as argument and as result"},
    {"J7", "reading a file of 1 MiB through readText"},
    {"mix", "of 20 calls 8 J1, 4 J2 (10 trips), 2 J7, 2 short J3, 2 denied, 1 J6, 1 J5"},
};

constexpr std::uint64_t kTripsInMix = 10;

enum MixKind : std::uint8_t { kJ1, kJ2, kJ3, kJ5, kJ6, kJ7, kDenied };

Workload make_mix(JobSettings settings) {
  settings.round_trips = kTripsInMix;
  Workload mix;
  for (const char* name : {"J1", "J2", "J3", "J5", "J6", "J7"}) {
    mix.kinds.push_back({name, make_job(name, settings)});
  }
  mix.kinds[kJ3] = {"short J3", make_short_compute()};
  mix.kinds.push_back({"denied", make_denial()});
  mix.order = {kJ1, kJ2, kJ1, kJ7, kJ1, kDenied, kJ3, kJ2, kJ1, kJ1,
               kJ6, kJ2, kJ1, kJ7, kJ1, kDenied, kJ2, kJ1, kJ3, kJ5};
  return mix;
}

}  // namespace

std::span<const JobTitle> job_titles() { return kTitles; }

bool calls_in_a_loop(std::string_view name) {
  return name != kMemoryJob && name != kProcessMemoryJob && name != kSpareMemoryJob;
}

Workload make_workload(std::string_view name, const JobSettings& settings) {
  if (name == kMixJob) return make_mix(settings);
  Workload workload;
  workload.kinds.push_back({std::string(name), make_job(name, settings)});
  workload.order = {0};
  return workload;
}

AISandbox sandbox_for(Runtime& runtime, const Workload& workload, std::uint64_t number) {
  const Job& job = workload.kinds[workload.kind_of(number)].job;
  return {runtime, distinct_source(job.program, number), job.options};
}

CallResult judge(const Workload& workload, std::uint64_t number, const Outcome& outcome,
                 double took_ms) {
  const std::size_t kind = workload.kind_of(number);
  std::vector<double> times = check_call(workload.kinds[kind].job, outcome);
  if (times.empty() || workload.blend()) times = {took_ms};
  return {kind, std::move(times), outcome.usage.cpu_ms};
}

}  // namespace cordon::load

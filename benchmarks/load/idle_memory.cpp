#include "benchmarks/load/idle_memory.h"

#include <cordon/sandbox.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/load/jobs.h"
#include "benchmarks/load/processes.h"
#include "benchmarks/load/programs.h"

namespace cordon::load {
namespace {

constexpr std::uint64_t kLongMs = 600'000;
constexpr auto kPatience = std::chrono::milliseconds(kLongMs);

// Sandboxes whose program has printed its line and waits for ever.
class IdleSandboxes {
 public:
  IdleSandboxes(Runtime& runtime, std::size_t count, std::uint64_t first_number) {
    AISandboxOptions options;
    options.resources.wall_clock_ms = kLongMs;
    std::vector<std::future<void>> ready;
    for (std::size_t i = 0; i < count; ++i) {
      const auto printed = std::make_shared<std::promise<void>>();
      ready.push_back(printed->get_future());
      ProgramOptions program;
      program.on_console = [printed](std::string_view, std::string_view) { printed->set_value(); };
      sandboxes_.emplace_back(runtime, distinct_source(kIdle, first_number + i), options, program);
      outcomes_.push_back(sandboxes_.back().call_async());
    }
    for (auto& each : ready) {
      if (each.wait_for(kPatience) != std::future_status::ready) {
        throw WrongResult("a sandbox did not print its line");
      }
    }
  }

  void terminate() {
    for (AISandbox& each : sandboxes_) each.terminate();
    for (auto& each : outcomes_) {
      const Status status = each.get().status;
      if (status != Status::kTerminated) {
        throw WrongResult(std::string("an idle sandbox ended as ") + to_string(status));
      }
    }
  }

 private:
  std::vector<AISandbox> sandboxes_;
  std::vector<std::future<Outcome>> outcomes_;
};

// What all processes of a runtime with `count` spare children hold, once these have been forked and
// have nothing left to do: until nothing changes.
struct SpareMemory {
  std::uint64_t kib = 0;
  EngineInfo engine;
};
SpareMemory memory_with_spares(std::size_t count) {
  constexpr auto kBetweenLooks = std::chrono::milliseconds(50);
  RuntimeOptions options;
  options.spare_children = count;
  const Runtime runtime(options);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::uint64_t before = 0;
  while (std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kBetweenLooks);
    const auto processes = descendants();
    const std::uint64_t now = pss_kib(processes);
    if (processes.size() >= count && now == before) return {now, runtime.engine()};
    before = now;
  }
  throw WrongResult("the spare children were not there in time");
}

}  // namespace

Measured measure_idle_memory(const LoadSettings& settings) {
  RuntimeOptions options;
  options.spare_children = 0;  // so that every new process is a sandbox
  options.max_concurrent_calls = settings.sandboxes;
  options.max_queued_calls = settings.sandboxes;
  Runtime runtime(options);
  // The first sandbox makes the engine's processes and this one as large as they get.
  IdleSandboxes(runtime, 1, 0).terminate();
  const auto services = descendants();

  JobReport report;
  report.unit = "KiB";
  report.calls = settings.sandboxes;
  report.callers = settings.sandboxes;
  report.host_kib_before = pss_kib(::getpid());
  report.service_kib_before = pss_kib(services);
  IdleSandboxes sandboxes(runtime, settings.sandboxes, 1);
  report.host_kib_after = pss_kib(::getpid());
  report.service_kib_after = pss_kib(services);
  std::vector<double> samples;
  for (const pid_t pid : descendants()) {
    if (std::binary_search(services.begin(), services.end(), pid)) continue;
    samples.push_back(static_cast<double>(pss_kib(pid)));
  }
  if (samples.size() != settings.sandboxes) throw WrongResult("a sandbox is not one process");
  report.samples = summarise(std::move(samples));
  sandboxes.terminate();
  return {std::move(report), runtime.engine()};
}

Measured measure_spare_memory(const LoadSettings& settings) {
  JobReport report;
  report.unit = "KiB";
  report.calls = settings.sandboxes;
  report.service_kib_before = memory_with_spares(1).kib;
  const SpareMemory all = memory_with_spares(1 + settings.sandboxes);
  report.service_kib_after = all.kib;
  const auto more = report.service_kib_after - report.service_kib_before;
  report.samples = summarise({static_cast<double>(more) / static_cast<double>(settings.sandboxes)});
  return {std::move(report), all.engine};
}

}  // namespace cordon::load

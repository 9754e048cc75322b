#include "benchmarks/load/idle_memory.h"

#include <cordon/sandbox.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "benchmarks/load/jobs.h"
#include "benchmarks/load/processes.h"
#include "benchmarks/load/programs.h"

namespace cordon::load {
namespace {

constexpr std::uint64_t kLongMs = 600'000;

std::uint64_t memory_of(const std::vector<pid_t>& pids) {
  if (const auto kib = pss_kib(pids)) return *kib;
  throw Unreadable("only root may read how much memory a locked-down process holds");
}

constexpr auto kPatience = std::chrono::milliseconds(kLongMs);

std::string text_of(const CallAnswer& answer) {
  if (const auto* const refused = std::get_if<CallError>(&answer)) return refused->what();
  const auto& outcome = std::get<Outcome>(answer);
  return to_string(outcome.status) +
         (outcome.error ? ": " + outcome.error->message : std::string());
}

// Sandboxes whose program has printed its line and waits for ever.
class IdleSandboxes {
 public:
  IdleSandboxes(Runtime& runtime, std::size_t count, std::uint64_t first_number)
      : steps_(std::make_shared<Steps>()) {
    AISandboxOptions options;
    options.resources.wall_clock_ms = kLongMs;
    ProgramOptions program;
    program.on_console = [steps = steps_](std::string_view, std::string_view) { steps->line(); };
    for (std::size_t i = 0; i < count; ++i) {
      sandboxes_.emplace_back(runtime, distinct_source(kIdle, first_number + i), options, program);
      sandboxes_.back().call_then(Value::from_json("[]"), [steps = steps_](CallAnswer answer) {
        steps->end(std::move(answer));
      });
    }
    std::unique_lock lock(steps_->mutex);
    steps_->change.wait(lock, [&] { return steps_->lines == count || !steps_->ends.empty(); });
    if (!steps_->ends.empty()) {
      throw WrongResult("an idle sandbox ended as " + text_of(steps_->ends.front()));
    }
  }

  void terminate() {
    for (AISandbox& each : sandboxes_) each.terminate();
    std::unique_lock lock(steps_->mutex);
    steps_->change.wait(lock, [&] { return steps_->ends.size() == sandboxes_.size(); });
    for (const CallAnswer& answer : steps_->ends) {
      const auto* const outcome = std::get_if<Outcome>(&answer);
      if (outcome == nullptr || outcome->status != Status::kTerminated) {
        throw WrongResult("an idle sandbox ended as " + text_of(answer));
      }
    }
  }

 private:
  // Of all of them together.
  struct Steps {
    void line() {
      const std::lock_guard lock(mutex);
      ++lines;
      change.notify_one();
    }
    void end(CallAnswer answer) {
      const std::lock_guard lock(mutex);
      ends.push_back(std::move(answer));
      change.notify_one();
    }

    std::mutex mutex;
    std::condition_variable change;
    std::size_t lines = 0;
    std::vector<CallAnswer> ends;
  };

  std::vector<AISandbox> sandboxes_;
  const std::shared_ptr<Steps> steps_;
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
    const std::uint64_t now = memory_of(processes);
    if (processes.size() >= count && now == before) return {now, runtime.engine()};
    before = now;
  }
  throw WrongResult("the spare children were not there in time");
}

// The figures that sandboxes alive are asked for; the caller makes them into samples.
struct IdleMemory {
  JobReport report;
  std::vector<double> of_each_kib;
  EngineInfo engine;
};
IdleMemory memory_with_idle_sandboxes(const LoadSettings& settings) {
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
  report.host_kib_before = memory_of({::getpid()});
  report.service_kib_before = memory_of(services);
  IdleSandboxes sandboxes(runtime, settings.sandboxes, 1);
  report.host_kib_after = memory_of({::getpid()});
  report.service_kib_after = memory_of(services);
  std::vector<double> of_each;
  for (const pid_t pid : descendants()) {
    if (std::binary_search(services.begin(), services.end(), pid)) continue;
    of_each.push_back(static_cast<double>(memory_of({pid})));
  }
  if (of_each.size() != settings.sandboxes) throw WrongResult("a sandbox is not one process");
  sandboxes.terminate();
  return {std::move(report), std::move(of_each), runtime.engine()};
}

}  // namespace

Measured measure_idle_memory(const LoadSettings& settings) {
  IdleMemory idle = memory_with_idle_sandboxes(settings);
  JobReport& report = idle.report;
  const auto of = [](std::uint64_t host, std::uint64_t services) {
    return static_cast<double>(host) + static_cast<double>(services);
  };
  const double own = std::accumulate(idle.of_each_kib.begin(), idle.of_each_kib.end(), 0.0);
  const double more = own + of(report.host_kib_after, report.service_kib_after) -
                      of(report.host_kib_before, report.service_kib_before);
  report.samples = summarise({more / static_cast<double>(settings.sandboxes)});
  return {std::move(report), std::move(idle.engine)};
}

Measured measure_idle_process_memory(const LoadSettings& settings) {
  IdleMemory idle = memory_with_idle_sandboxes(settings);
  idle.report.samples = summarise(std::move(idle.of_each_kib));
  return {std::move(idle.report), std::move(idle.engine)};
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

#pragma once
// The batch itself: starts jobs as they arrive, as many at one time as there is room for, and
// answers each line exactly once, as its run ends.

#include <cordon/runtime.h>
#include <cordon/sandbox.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/batch/concurrency.h"
#include "cli/batch/job_reader.h"
#include "cli/batch/mailbox.h"
#include "cli/batch/result.h"
#include "cli/batch/run_settings.h"

namespace cordon::batch {

// One thread reads, decides and answers; runs go on in the runtime's. Only the mailbox is shared.
class BatchRun {
 public:
  // Takes some answers at once; false when they cannot be written, which ends the batch.
  using Answer = std::function<bool(const std::vector<JobResult>&)>;

  // All but `settings` must outlive the run. `tick` is called now and then, every 100 ms
  // while nothing happens.
  BatchRun(Runtime& runtime, const AISandboxOptions& options, RunSettings settings,
           Concurrency concurrency, JobReader& jobs, std::shared_ptr<Mailbox> mailbox,
           Answer answer, std::function<void()> tick);

  // Until the input has ended, or draining, and every run that was started is answered. False when
  // answers could not be written.
  bool run();

 private:
  struct Flight {
    Job job;
    std::unique_ptr<AISandbox> sandbox;
    double waited_ms = 0;
    std::uint64_t attempt = 0;
  };

  std::size_t room() const;
  void start_what_arrived();
  void wait();
  void take(Arrival arrival);
  void take(Ending ending, bool draining);
  void start(Flight flight);
  AISandboxOptions options_of(const Job& job) const;
  ProgramOptions program_of(const Job& job) const;

  Runtime& runtime_;
  const AISandboxOptions& options_;
  const RunSettings settings_;
  Concurrency concurrency_;
  JobReader& jobs_;
  const std::shared_ptr<Mailbox> mailbox_;
  const Answer answer_;
  const std::function<void()> tick_;
  std::map<std::uint64_t, Flight> flights_;
  std::uint64_t last_flight_ = 0;
  std::vector<JobResult> answers_;  // to be written at the end of this turn
};

}  // namespace cordon::batch

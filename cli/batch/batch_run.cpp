#include "cli/batch/batch_run.h"

#include <poll.h>

#include <iterator>
#include <utility>

#include "actors/or_unavailable.h"
#include "cli/report.h"

namespace cordon::batch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTickMs = 100;

JobResult invalid(JobIdentity identity, const std::string& message) {
  return {.identity = std::move(identity),
          .verdict = Verdict::kInvalidJob,
          .outcome = failed_outcome(Status::kUnavailable, "InvalidJob", message)};
}

bool asserts(const Job& job) {
  return job.tests.has_value() || job.entry == ProgramOptions::Entry::kScript;
}

}  // namespace

BatchRun::BatchRun(Runtime& runtime, const AISandboxOptions& options, RunSettings settings,
                   Concurrency concurrency, JobReader& jobs, std::shared_ptr<Mailbox> mailbox,
                   Answer answer, std::function<void()> tick)
    : runtime_(runtime),
      options_(options),
      settings_(settings),
      concurrency_(concurrency),
      jobs_(jobs),
      mailbox_(std::move(mailbox)),
      answer_(std::move(answer)),
      tick_(std::move(tick)) {}

bool BatchRun::run() {
  for (;;) {
    auto [endings, draining] = mailbox_->take();
    if (draining) jobs_.stop();
    const bool full = room() == 0;
    for (Ending& ending : endings) take(std::move(ending), draining);
    start_what_arrived();
    if (!answers_.empty()) {
      if (!answer_(answers_)) return false;
      answers_.clear();
    }
    concurrency_.adapt(Clock::now(), flights_.size(), full);
    tick_();
    jobs_.prepare_next();
    if (jobs_.ended() && flights_.empty()) return true;
    wait();
  }
}

std::size_t BatchRun::room() const {
  const std::size_t limit = concurrency_.limit();
  return limit > flights_.size() ? limit - flights_.size() : 0;
}

// As many lines at most as there is room for runs, so that answers do not pile up.
void BatchRun::start_what_arrived() {
  for (std::size_t left = room(); left > 0; --left) {
    auto arrival = jobs_.next();
    if (!arrival) return;
    take(*std::move(arrival));
  }
}

// For a run that ends, or for input if any is wanted.
void BatchRun::wait() {
  const bool may_go_on = jobs_.has_next() && room() > 0;
  pollfd ready[] = {{mailbox_->descriptor(), POLLIN, 0}, {jobs_.descriptor(), POLLIN, 0}};
  if (::poll(ready, std::size(ready), may_go_on ? 0 : kTickMs) > 0 && ready[1].revents != 0) {
    jobs_.fill();
  }
}

void BatchRun::take(Arrival arrival) {
  if (auto* problem = std::get_if<InvalidJob>(&arrival.what)) {
    answers_.push_back(invalid(std::move(problem->identity), problem->message));
    return;
  }
  const auto waited = std::chrono::duration<double, std::milli>(Clock::now() - arrival.at);
  start({.job = std::get<Job>(std::move(arrival.what)),
         .sandbox = {},
         .waited_ms = waited.count(),
         .attempt = 0});
}

void BatchRun::take(Ending ending, bool draining) {
  const auto found = flights_.find(ending.flight);
  Flight flight = std::move(found->second);
  flights_.erase(found);
  if (const auto* const refused = std::get_if<CallError>(&ending.answer)) {
    if (refused->reason() == CallError::Reason::kInvalidOptions) {
      answers_.push_back(invalid(std::move(flight.job.identity), refused->what()));
      return;
    }
    ending.answer = failed_outcome(Status::kUnavailable, "SandboxError", refused->what());
  }
  Outcome outcome = std::get<Outcome>(std::move(ending.answer));
  concurrency_.ended(outcome.usage.cpu_ms);
  // Undefined, whatever the program.
  if (flight.job.entry == ProgramOptions::Entry::kScript) outcome.result.reset();
  const Verdict verdict = judge(outcome, asserts(flight.job), flight.job.expected);
  if (verdict == Verdict::kSandboxError && flight.attempt <= settings_.retries) {
    if (!draining) start(std::move(flight));
    return;  // without an answer: --resume runs it again
  }
  answers_.push_back({.identity = std::move(flight.job.identity),
                      .verdict = verdict,
                      .outcome = std::move(outcome),
                      .waited_ms = flight.waited_ms,
                      .attempt = flight.attempt});
}

void BatchRun::start(Flight flight) {
  const std::uint64_t id = ++last_flight_;
  Flight& begun = flights_.emplace(id, std::move(flight)).first->second;
  ++begun.attempt;
  try {
    or_unavailable([&] {
      begun.sandbox = std::make_unique<AISandbox>(runtime_, begun.job.source, options_of(begun.job),
                                                  program_of(begun.job));
      begun.sandbox->call_then(begun.job.arguments, [mailbox = mailbox_, id](CallAnswer answer) {
        mailbox->deliver(Ending{id, std::move(answer)});
      });
    });
  } catch (const InvalidOption& error) {
    answers_.push_back(
        invalid(std::move(begun.job.identity), std::string("options.") + error.what()));
    flights_.erase(id);
    return;
  } catch (const Unavailable& error) {
    mailbox_->deliver(
        Ending{id, failed_outcome(Status::kUnavailable, "SandboxError", error.what())});
  }
}

AISandboxOptions BatchRun::options_of(const Job& job) const {
  return job.options ? *job.options : options_;
}

ProgramOptions BatchRun::program_of(const Job& job) const {
  ProgramOptions program;
  program.entry = job.entry;
  program.source_name = job.source_name;
  program.tests = job.tests;
  program.assert_module = settings_.assert_module;
  program.seed = settings_.seed;
  program.clock = settings_.clock;
  return program;
}

}  // namespace cordon::batch

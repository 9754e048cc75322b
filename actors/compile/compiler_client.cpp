#include "actors/compile/compiler_client.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "actors/compile/compile_cache.h"
#include "actors/compile/compile_outcome.h"
#include "actors/compile/compiler_service.h"
#include "actors/compile/plain_source.h"
#include "actors/compile/restart_pause.h"
#include "actors/compile/service_launcher.h"
#include "actors/process/blocking_threads.h"
#include "messages/transpiler_protocol.h"

namespace cordon {
namespace {

// The shared service's share: enough to keep two cores busy. The compiler may need a hundred bytes
// for each byte of source, so what runs together is limited by size too.
constexpr std::size_t kMaxSharedJobs = 32;
constexpr std::size_t kMaxSharedBytes = std::size_t{2} << 20;
// Above this a service of its own costs little beside the compilation, and spares the others.
constexpr std::size_t kLargeSourceBytes = std::size_t{512} << 10;
constexpr std::size_t kMaxAlone = 2;
// A job whose service had to be stopped for another's sake this often runs alone.
constexpr unsigned kMaxSends = 3;

// The quick service has one thread and stops a source after 50 ms of its time. What it is to be
// relied on for is small; when it is busy with something else, esbuild is there.
constexpr std::size_t kMaxQuickJobs = 64;
constexpr std::size_t kMaxQuickBytes = std::size_t{128} << 10;
constexpr std::chrono::milliseconds kQuickIsBusy{25};
// Its own clock has failed, or the machine is far behind.
constexpr std::chrono::milliseconds kQuickDeadline{500};

// Reading a longer map would hold up the I/O thread, which keeps everybody's deadlines.
constexpr std::size_t kQuickMapBytes = std::size_t{64} << 10;

constexpr unsigned kMaxStartFailures = 3;

CompileFailure failure(CompileFailure::Kind kind, std::string message) {
  return {kind, std::move(message), 0, 0};
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_for_quick(const CompileRequest& request) {
  return !request.by_esbuild && !request.one_line_tokens &&
         request.source.size() <= transpiler_protocol::kMaxSourceBytes &&
         !why_not_plain(request.source);
}

// esbuild ends when it cannot have a thread, and does not say why it has ended. It may have this
// many.
constexpr std::size_t kThreadsOfEsbuild = 8;

bool may_have_threads() {
  try {
    const BlockingThreads had(kThreadsOfEsbuild);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

Result<CompiledModule, CompileFailure> outcome_of(const CompileJob& job, esbuild::Answer given) {
  auto outcome = compile_outcome(job.request.source, std::move(given));
  if (outcome) outcome->is_quick = job.by_quick;
  return outcome;
}

}  // namespace

// Decisions are taken on the I/O thread. Starting and ending a process blocks and large maps take
// long to read, so that is done on worker threads, whose results come back through the inbox, as
// new requests do.
class CompilerClient::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& io, CompilerOptions options, ServiceLaunchers launchers)
      : io_(io),
        options_(std::move(options)),
        launchers_(std::move(launchers)),
        shared_restart_(io),
        quick_restart_(io) {}

  void compile(CompileRequest request, OnCompiled on_compiled) {
    if (request.source.starts_with(kByteOrderMark)) request.source.erase(0, kByteOrderMark.size());
    const bool quick = launchers_.quick && is_for_quick(request);
    receive(CompileJob{
        .request = std::move(request), .on_compiled = std::move(on_compiled), .for_quick = quick});
  }

  void adopt(LaunchedService esbuild, std::optional<LaunchedService> quick) {
    is_launching_ = true;
    receive(Launched{kShared, std::move(esbuild)});
    if (!quick) return;
    quick_is_launching_ = true;
    receive(Launched{kQuick, *std::move(quick)});
  }

  void stop();

 private:
  using Ticket = std::uint64_t;
  static constexpr Ticket kShared = 0;
  static constexpr Ticket kQuick = 1;  // all other tickets are those of jobs that run alone

  struct Launched {
    Ticket ticket;
    Result<LaunchedService, StartFailure> result;
  };
  struct Alone {
    std::optional<CompileJob> job;  // until its service runs
    unsigned start_failures = 0;
    std::shared_ptr<CompilerService> service;
  };
  struct Compiled {
    CompileJob job;
    Result<CompiledModule, CompileFailure> outcome;
  };
  using Input = std::variant<CompileJob, Launched, Compiled>;

  void receive(Input input);
  void drain();
  void take(CompileJob job);
  void take(Launched launched);
  void take(Compiled compiled);
  void abandon(Input input);
  static void abandon(CompileJob job);
  void pump();

  void launch(Ticket ticket);
  Result<std::shared_ptr<CompilerService>, StartFailure> open(
      const ServiceProtocol& protocol, Result<LaunchedService, StartFailure> launched,
      std::chrono::milliseconds deadline, CompilerService::Events events);
  void dispose(std::unique_ptr<ServiceProcess> process);

  void on_shared_launched(Result<LaunchedService, StartFailure> result);
  void on_shared_broken(ServiceRemains remains);
  void relaunch_after_pause();

  bool send_quick(CompileJob& job);
  void relaunch_quick_after_pause();
  void on_quick_launched(Result<LaunchedService, StartFailure> result);
  void on_quick_answer(CompileJob job, esbuild::Answer given);
  void on_quick_broken(ServiceRemains remains);
  void enqueue(CompileJob job);

  void start_alone(CompileJob job);
  void on_alone_launched(Ticket ticket, Result<LaunchedService, StartFailure> result);
  void on_alone_broken(Ticket ticket, ServiceRemains remains);

  void answer(CompileJob job, esbuild::Answer given);
  static void fail(CompileJob job, CompileFailure::Kind kind, std::string message) {
    job.on_compiled(failure(kind, std::move(message)));
  }

  boost::asio::io_context& io_;
  const CompilerOptions options_;
  const ServiceLaunchers launchers_;

  std::mutex mutex_;
  std::vector<Input> inbox_;  // guarded by mutex_
  std::atomic<bool> stopping_ = false;

  CompileCache cache_;
  std::deque<CompileJob> queue_;      // for the shared service
  std::vector<CompileJob> suspects_;  // for services of their own
  std::shared_ptr<CompilerService> shared_;
  bool is_launching_ = false;
  RestartPause shared_restart_;
  std::shared_ptr<CompilerService> quick_;
  bool quick_is_launching_ = false;
  RestartPause quick_restart_;
  std::map<Ticket, Alone> alone_;
  Ticket last_ticket_ = kQuick;

  BlockingThreads workers_{kMaxAlone + 2};
};

void CompilerClient::Impl::receive(Input input) {
  {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(input));
    if (inbox_.size() > 1) return;  // the drain that is on its way takes this too
  }
  boost::asio::post(io_, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->drain();
  });
}

void CompilerClient::Impl::drain() {
  std::vector<Input> inputs;
  {
    const std::lock_guard lock(mutex_);
    inputs.swap(inbox_);
  }
  for (Input& input : inputs) {
    // An answer's receiver may have stopped us.
    if (stopping_) {
      abandon(std::move(input));
    } else {
      std::visit([this](auto& what) { take(std::move(what)); }, input);
    }
  }
  pump();
}

void CompilerClient::Impl::abandon(Input input) {
  if (auto* job = std::get_if<CompileJob>(&input)) abandon(std::move(*job));
  if (auto* compiled = std::get_if<Compiled>(&input)) abandon(std::move(compiled->job));
}

void CompilerClient::Impl::abandon(CompileJob job) {
  fail(std::move(job), CompileFailure::Kind::kUnavailable, "The runtime is shutting down");
}

void CompilerClient::Impl::take(CompileJob job) {
  job.cache_key = CompileCache::key(job.request);
  if (job.cache_key) {
    if (auto known = cache_.find(*job.cache_key)) return job.on_compiled(*std::move(known));
  }
  if (!job.for_quick || !send_quick(job)) enqueue(std::move(job));
}

void CompilerClient::Impl::enqueue(CompileJob job) {
  if (job.request.source.size() > kLargeSourceBytes || job.times_sent >= kMaxSends) {
    suspects_.push_back(std::move(job));
  } else {
    queue_.push_back(std::move(job));
  }
}

void CompilerClient::Impl::take(Launched launched) {
  if (launched.ticket == kShared) {
    on_shared_launched(std::move(launched.result));
  } else if (launched.ticket == kQuick) {
    on_quick_launched(std::move(launched.result));
  } else {
    on_alone_launched(launched.ticket, std::move(launched.result));
  }
}

void CompilerClient::Impl::take(Compiled compiled) {
  if (compiled.outcome && compiled.job.cache_key) {
    cache_.store(*compiled.job.cache_key, *compiled.outcome);
  }
  compiled.job.on_compiled(std::move(compiled.outcome));
}

void CompilerClient::Impl::answer(CompileJob job, esbuild::Answer given) {
  const auto* module = std::get_if<esbuild::Transformed>(&given);
  if (module == nullptr || module->map.size() <= kQuickMapBytes) {
    auto outcome = outcome_of(job, std::move(given));
    return take(Compiled{std::move(job), std::move(outcome)});
  }
  boost::asio::post(workers_.executor(), [self = shared_from_this(), job = std::move(job),
                                          given = std::move(given)]() mutable {
    auto outcome = outcome_of(job, std::move(given));
    self->receive(Compiled{std::move(job), std::move(outcome)});
  });
}

// Starts all that can be started.
void CompilerClient::Impl::pump() {
  if (stopping_) return;
  const auto has_room = [this](const CompileJob& job) {
    return shared_->jobs_in_flight() < kMaxSharedJobs &&
           shared_->bytes_in_flight() + job.request.source.size() <= kMaxSharedBytes;
  };
  while (shared_ && !queue_.empty() && has_room(queue_.front())) {
    shared_->send(std::move(queue_.front()));
    queue_.pop_front();
  }
  if (!shared_ && !is_launching_ && !shared_restart_.is_pausing() && !queue_.empty()) {
    is_launching_ = true;
    launch(kShared);
  }
  while (!suspects_.empty() && alone_.size() < kMaxAlone) {
    // Small sources are seldom the cause, and soon done.
    const auto smallest = std::min_element(
        suspects_.begin(), suspects_.end(), [](const CompileJob& a, const CompileJob& b) {
          return a.request.source.size() < b.request.source.size();
        });
    CompileJob job = std::move(*smallest);
    suspects_.erase(smallest);
    start_alone(std::move(job));
  }
}

void CompilerClient::Impl::launch(Ticket ticket) {
  boost::asio::post(workers_.executor(), [self = shared_from_this(), ticket] {
    if (self->stopping_) return;
    const bool quick = ticket == kQuick;
    self->receive(Launched{
        ticket,
        launch_service(quick ? self->launchers_.quick : self->launchers_.esbuild,
                       quick ? quick_greeting() : esbuild_greeting(), self->options_.deadline)});
  });
}

void CompilerClient::Impl::dispose(std::unique_ptr<ServiceProcess> process) {
  boost::asio::post(workers_.executor(),
                    [process = std::move(process)]() mutable { process.reset(); });
}

Result<std::shared_ptr<CompilerService>, StartFailure> CompilerClient::Impl::open(
    const ServiceProtocol& protocol, Result<LaunchedService, StartFailure> launched,
    std::chrono::milliseconds deadline, CompilerService::Events events) {
  if (!launched) return launched.error();
  return CompilerService::open(io_, protocol, *std::move(launched), deadline, std::move(events));
}

void CompilerClient::Impl::on_shared_launched(Result<LaunchedService, StartFailure> result) {
  is_launching_ = false;
  auto opened = open(kEsbuildProtocol, std::move(result), options_.deadline,
                     {.on_answer =
                          [weak = weak_from_this()](CompileJob job, esbuild::Answer given) {
                            const auto self = weak.lock();  // the callback may end the client
                            self->shared_restart_.on_answer();
                            self->answer(std::move(job), std::move(given));
                            self->pump();
                          },
                      .on_broken =
                          [weak = weak_from_this()](ServiceRemains remains) {
                            weak.lock()->on_shared_broken(std::move(remains));
                          }});
  if (opened) {
    shared_restart_.on_started();
    shared_ = *std::move(opened);
    return;
  }
  shared_restart_.on_start_failed();
  if (shared_restart_.start_failures() >= kMaxStartFailures) {
    // Whoever asks next makes us try again.
    const StartFailure& why = opened.error();
    for (CompileJob& job : std::exchange(queue_, {})) {
      fail(std::move(job), CompileFailure::Kind::kUnavailable, refusal(why));
    }
  }
  relaunch_after_pause();
}

void CompilerClient::Impl::on_shared_broken(ServiceRemains remains) {
  shared_.reset();
  shared_restart_.on_broken();
  dispose(std::move(remains.process));
  std::move(remains.suspects.begin(), remains.suspects.end(), std::back_inserter(suspects_));
  // They have waited longest.
  for (auto job = remains.innocents.rbegin(); job != remains.innocents.rend(); ++job) {
    if (job->times_sent < kMaxSends) {
      queue_.push_front(std::move(*job));
    } else {
      suspects_.push_back(std::move(*job));
    }
  }
  relaunch_after_pause();
  pump();
}

// The first restart is immediate and does not wait to be needed.
void CompilerClient::Impl::relaunch_after_pause() {
  if (stopping_) return;
  const bool pauses = shared_restart_.pause(weak_from_this(), [this] { pump(); });
  if (pauses) return;
  is_launching_ = true;
  launch(kShared);
}

// Whether the quick service has taken the job.
bool CompilerClient::Impl::send_quick(CompileJob& job) {
  job.for_quick = false;  // once
  if (!quick_ || quick_->jobs_in_flight() >= kMaxQuickJobs ||
      quick_->bytes_in_flight() + job.request.source.size() > kMaxQuickBytes ||
      quick_->slowness() > kQuickIsBusy) {
    return false;
  }
  quick_->send(std::move(job));
  return true;
}

void CompilerClient::Impl::relaunch_quick_after_pause() {
  const auto relaunch = [this] {
    if (stopping_ || quick_is_launching_) return;
    quick_is_launching_ = true;
    launch(kQuick);
  };
  if (!quick_restart_.pause(weak_from_this(), relaunch)) relaunch();
}

void CompilerClient::Impl::on_quick_launched(Result<LaunchedService, StartFailure> result) {
  quick_is_launching_ = false;
  auto opened = open(kQuickProtocol, std::move(result), kQuickDeadline,
                     {.on_answer =
                          [weak = weak_from_this()](CompileJob job, esbuild::Answer given) {
                            const auto self = weak.lock();
                            self->on_quick_answer(std::move(job), std::move(given));
                          },
                      .on_broken =
                          [weak = weak_from_this()](ServiceRemains remains) {
                            weak.lock()->on_quick_broken(std::move(remains));
                          }});
  if (!opened) {
    quick_restart_.on_start_failed();
    return relaunch_quick_after_pause();
  }
  quick_restart_.on_started();
  quick_ = *std::move(opened);
}

void CompilerClient::Impl::on_quick_answer(CompileJob job, esbuild::Answer given) {
  quick_restart_.on_answer();
  const auto* const module = std::get_if<esbuild::Transformed>(&given);
  if (module != nullptr && !may_have_renamed(job.request.source, module->code)) {
    job.by_quick = true;
    return answer(std::move(job), std::move(given));
  }
  job.times_sent = 0;
  enqueue(std::move(job));
  pump();
}

// Whoever is to blame: esbuild has rules for that.
void CompilerClient::Impl::on_quick_broken(ServiceRemains remains) {
  quick_.reset();
  quick_restart_.on_broken();
  dispose(std::move(remains.process));
  for (auto* const jobs : {&remains.suspects, &remains.innocents}) {
    for (CompileJob& job : *jobs) {
      job.times_sent = 0;
      enqueue(std::move(job));
    }
  }
  relaunch_quick_after_pause();
  pump();
}

void CompilerClient::Impl::start_alone(CompileJob job) {
  const Ticket ticket = ++last_ticket_;
  alone_[ticket].job = std::move(job);
  launch(ticket);
}

void CompilerClient::Impl::on_alone_launched(Ticket ticket,
                                             Result<LaunchedService, StartFailure> result) {
  Alone& alone = alone_.at(ticket);
  auto opened = open(kEsbuildProtocol, std::move(result), options_.deadline,
                     {.on_answer =
                          [weak = weak_from_this(), ticket](CompileJob job, esbuild::Answer given) {
                            const auto self = weak.lock();
                            self->dispose(self->alone_.at(ticket).service->close().process);
                            self->alone_.erase(ticket);
                            self->answer(std::move(job), std::move(given));
                            self->pump();
                          },
                      .on_broken =
                          [weak = weak_from_this(), ticket](ServiceRemains remains) {
                            weak.lock()->on_alone_broken(ticket, std::move(remains));
                          }});
  if (!opened) {
    if (++alone.start_failures < kMaxStartFailures) return launch(ticket);
    CompileJob job = *std::move(alone.job);
    alone_.erase(ticket);
    return fail(std::move(job), CompileFailure::Kind::kUnavailable, refusal(opened.error()));
  }
  alone.service = *std::move(opened);
  alone.service->send(*std::exchange(alone.job, std::nullopt));
}

void CompilerClient::Impl::on_alone_broken(Ticket ticket, ServiceRemains remains) {
  dispose(std::move(remains.process));
  alone_.erase(ticket);
  for (CompileJob& job : remains.suspects) {
    if (!may_have_threads()) {
      fail(std::move(job), CompileFailure::Kind::kUnavailable, refusal(thread_failure()));
      continue;
    }
    fail(std::move(job), CompileFailure::Kind::kResources,
         "The TypeScript compiler " + remains.reason +
             " while it compiled this source: it takes too much time or memory");
  }
  pump();
}

void CompilerClient::Impl::stop() {
  stopping_ = true;
  shared_restart_.cancel();
  quick_restart_.cancel();
  std::vector<CompileJob> open;
  const auto collect = [&open](auto& jobs) {
    std::move(jobs.begin(), jobs.end(), std::back_inserter(open));
    jobs.clear();
  };
  const auto close = [&](CompilerService& service) {
    ServiceRemains remains = service.close();
    collect(remains.innocents);
    dispose(std::move(remains.process));
  };
  if (shared_) close(*std::exchange(shared_, nullptr));
  if (quick_) close(*std::exchange(quick_, nullptr));
  for (auto& [ticket, alone] : std::exchange(alone_, {})) {
    if (alone.service) close(*alone.service);
    if (alone.job) open.push_back(*std::move(alone.job));
  }
  collect(queue_);
  collect(suspects_);
  workers_.finish();
  std::vector<Input> inputs;
  {
    const std::lock_guard lock(mutex_);
    inputs.swap(inbox_);
  }
  for (Input& input : inputs) abandon(std::move(input));
  for (CompileJob& job : open) abandon(std::move(job));
}

CompilerClient::CompilerClient(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

CompilerClient::~CompilerClient() { impl_->stop(); }

Result<std::unique_ptr<CompilerClient>, StartFailure> CompilerClient::start(
    boost::asio::io_context& io, CompilerOptions options) {
  ServiceLaunchers launchers = engine_launchers(options);
  return start(io, std::move(options), std::move(launchers));
}

Result<std::unique_ptr<CompilerClient>, StartFailure> CompilerClient::start(
    boost::asio::io_context& io, CompilerOptions options, ServiceLaunchers launchers) {
  // Side by side: each takes some milliseconds.
  std::future<Result<LaunchedService, StartFailure>> starting;
  if (launchers.quick) {
    starting = std::async(std::launch::async, [&] {
      return launch_service(launchers.quick, quick_greeting(), options.deadline);
    });
  }
  auto esbuild = launch_service(launchers.esbuild, esbuild_greeting(), options.deadline);
  std::optional<Result<LaunchedService, StartFailure>> started;
  if (starting.valid()) started = starting.get();
  if (!esbuild) return std::move(esbuild).error();
  std::optional<LaunchedService> quick;
  if (started) {
    if (!*started) return std::move(*started).error();
    quick = **std::move(started);
  }
  auto impl = std::make_shared<Impl>(io, std::move(options), std::move(launchers));
  impl->adopt(*std::move(esbuild), std::move(quick));
  return std::unique_ptr<CompilerClient>(new CompilerClient(std::move(impl)));
}

void CompilerClient::compile(CompileRequest request, OnCompiled on_compiled) {
  impl_->compile(std::move(request), std::move(on_compiled));
}

}  // namespace cordon

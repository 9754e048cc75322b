#include "actors/compile/compiler_client.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "actors/compile/compile_cache.h"
#include "actors/compile/compile_outcome.h"
#include "actors/compile/compiler_service.h"
#include "actors/compile/service_launcher.h"

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

constexpr unsigned kMaxStartFailures = 3;
constexpr std::chrono::milliseconds kFirstPause{50};
constexpr std::chrono::milliseconds kLongestPause{800};

CompileFailure failure(CompileFailure::Kind kind, std::string message) {
  return {kind, std::move(message), 0, 0};
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

// Decisions are taken on the I/O thread. Starting and ending a process blocks, so that is done on
// worker threads, whose results come back through the inbox, as new requests do.
class CompilerClient::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& io, CompilerOptions options, ServiceLauncher launcher)
      : io_(io), options_(std::move(options)), launcher_(std::move(launcher)), pause_(io) {}

  void compile(CompileRequest request, OnCompiled on_compiled) {
    if (request.source.starts_with(kByteOrderMark)) request.source.erase(0, kByteOrderMark.size());
    receive(CompileJob{std::move(request), std::move(on_compiled)});
  }

  void adopt(LaunchedService first) {
    is_launching_ = true;
    receive(Launched{kShared, std::move(first)});
  }

  void stop();

 private:
  using Ticket = std::uint64_t;
  static constexpr Ticket kShared = 0;  // all other tickets are those of jobs that run alone

  struct Launched {
    Ticket ticket;
    Result<LaunchedService, StartFailure> result;
  };
  struct Alone {
    std::optional<CompileJob> job;  // until its service runs
    unsigned start_failures = 0;
    std::shared_ptr<CompilerService> service;
  };
  using Input = std::variant<CompileJob, Launched>;

  void receive(Input input);
  void drain();
  void take(CompileJob job);
  void take(Launched launched);
  void pump();

  void launch(Ticket ticket);
  void dispose(std::unique_ptr<ServiceProcess> process);

  void on_shared_launched(Result<LaunchedService, StartFailure> result);
  void on_shared_broken(ServiceRemains remains);
  void relaunch_after_pause();

  void start_alone(CompileJob job);
  void on_alone_launched(Ticket ticket, Result<LaunchedService, StartFailure> result);
  void on_alone_broken(Ticket ticket, ServiceRemains remains);

  void answer(CompileJob job, esbuild::Answer given);
  static void fail(CompileJob job, CompileFailure::Kind kind, std::string message) {
    job.on_compiled(failure(kind, std::move(message)));
  }

  boost::asio::io_context& io_;
  const CompilerOptions options_;
  const ServiceLauncher launcher_;

  std::mutex mutex_;
  std::vector<Input> inbox_;  // guarded by mutex_
  std::atomic<bool> stopping_ = false;

  CompileCache cache_;
  std::deque<CompileJob> queue_;      // for the shared service
  std::vector<CompileJob> suspects_;  // for services of their own
  std::shared_ptr<CompilerService> shared_;
  bool is_launching_ = false;
  unsigned start_failures_ = 0;  // in a row
  unsigned breaks_ = 0;          // in a row, without an answer in between
  boost::asio::steady_timer pause_;
  bool is_pausing_ = false;
  std::map<Ticket, Alone> alone_;
  Ticket last_ticket_ = kShared;

  boost::asio::thread_pool workers_{kMaxAlone + 1};
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
    std::visit([this](auto& what) { take(std::move(what)); }, input);
  }
  pump();
}

void CompilerClient::Impl::take(CompileJob job) {
  job.cache_key = CompileCache::key(job.request);
  if (job.cache_key) {
    if (auto known = cache_.find(*job.cache_key)) return job.on_compiled(*std::move(known));
  }
  if (job.request.source.size() > kLargeSourceBytes || job.times_sent >= kMaxSends) {
    suspects_.push_back(std::move(job));
  } else {
    queue_.push_back(std::move(job));
  }
}

void CompilerClient::Impl::answer(CompileJob job, esbuild::Answer given) {
  auto outcome = compile_outcome(job.request.source, std::move(given));
  if (outcome && job.cache_key) cache_.store(*job.cache_key, *outcome);
  job.on_compiled(std::move(outcome));
}

void CompilerClient::Impl::take(Launched launched) {
  if (launched.ticket == kShared) {
    on_shared_launched(std::move(launched.result));
  } else {
    on_alone_launched(launched.ticket, std::move(launched.result));
  }
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
  if (!shared_ && !is_launching_ && !is_pausing_ && !queue_.empty()) {
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
  boost::asio::post(workers_, [self = shared_from_this(), ticket] {
    if (self->stopping_) return;
    self->receive(Launched{ticket, launch_service(self->launcher_, self->options_.deadline)});
  });
}

void CompilerClient::Impl::dispose(std::unique_ptr<ServiceProcess> process) {
  boost::asio::post(workers_, [process = std::move(process)]() mutable { process.reset(); });
}

void CompilerClient::Impl::on_shared_launched(Result<LaunchedService, StartFailure> result) {
  is_launching_ = false;
  if (result) {
    start_failures_ = 0;
    shared_ = CompilerService::open(
        io_, *std::move(result), options_.deadline,
        {.on_answer =
             [weak = weak_from_this()](CompileJob job, esbuild::Answer given) {
               const auto self = weak.lock();  // the callback may end the client
               self->breaks_ = 0;
               self->answer(std::move(job), std::move(given));
               self->pump();
             },
         .on_broken =
             [weak = weak_from_this()](ServiceRemains remains) {
               weak.lock()->on_shared_broken(std::move(remains));
             }});
    return;
  }
  ++start_failures_;
  if (start_failures_ >= kMaxStartFailures) {
    // Whoever asks next makes us try again.
    const StartFailure& why = result.error();
    for (CompileJob& job : std::exchange(queue_, {})) {
      fail(std::move(job), CompileFailure::Kind::kUnavailable, why.mechanism + ": " + why.message);
    }
  }
  relaunch_after_pause();
}

void CompilerClient::Impl::on_shared_broken(ServiceRemains remains) {
  shared_.reset();
  ++breaks_;
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
  const unsigned failures = start_failures_ + breaks_;
  if (failures <= 1) {
    is_launching_ = true;
    launch(kShared);
    return;
  }
  is_pausing_ = true;
  pause_.expires_after(std::min(kLongestPause, kFirstPause * (1 << std::min(failures - 2, 10U))));
  pause_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (!self || error) return;
    self->is_pausing_ = false;
    self->pump();
  });
}

void CompilerClient::Impl::start_alone(CompileJob job) {
  const Ticket ticket = ++last_ticket_;
  alone_[ticket].job = std::move(job);
  launch(ticket);
}

void CompilerClient::Impl::on_alone_launched(Ticket ticket,
                                             Result<LaunchedService, StartFailure> result) {
  Alone& alone = alone_.at(ticket);
  if (!result) {
    if (++alone.start_failures < kMaxStartFailures) return launch(ticket);
    CompileJob job = *std::move(alone.job);
    alone_.erase(ticket);
    return fail(std::move(job), CompileFailure::Kind::kUnavailable,
                result.error().mechanism + ": " + result.error().message);
  }
  alone.service = CompilerService::open(
      io_, *std::move(result), options_.deadline,
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
  alone.service->send(*std::exchange(alone.job, std::nullopt));
}

void CompilerClient::Impl::on_alone_broken(Ticket ticket, ServiceRemains remains) {
  dispose(std::move(remains.process));
  alone_.erase(ticket);
  for (CompileJob& job : remains.suspects) {
    fail(std::move(job), CompileFailure::Kind::kResources,
         "The TypeScript compiler " + remains.reason +
             " while it compiled this source: it takes too much time or memory");
  }
  pump();
}

void CompilerClient::Impl::stop() {
  stopping_ = true;
  pause_.cancel();
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
  for (auto& [ticket, alone] : std::exchange(alone_, {})) {
    if (alone.service) close(*alone.service);
    if (alone.job) open.push_back(*std::move(alone.job));
  }
  collect(queue_);
  collect(suspects_);
  workers_.join();
  {
    const std::lock_guard lock(mutex_);
    for (Input& input : std::exchange(inbox_, {})) {
      if (auto* job = std::get_if<CompileJob>(&input)) open.push_back(std::move(*job));
    }
  }
  for (CompileJob& job : open) {
    fail(std::move(job), CompileFailure::Kind::kUnavailable, "The runtime is shutting down");
  }
}

CompilerClient::CompilerClient(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

CompilerClient::~CompilerClient() { impl_->stop(); }

Result<std::unique_ptr<CompilerClient>, StartFailure> CompilerClient::start(
    boost::asio::io_context& io, CompilerOptions options) {
  ServiceLauncher launcher = engine_launcher(options);
  return start(io, std::move(options), std::move(launcher));
}

Result<std::unique_ptr<CompilerClient>, StartFailure> CompilerClient::start(
    boost::asio::io_context& io, CompilerOptions options, ServiceLauncher launcher) {
  Result<LaunchedService, StartFailure> first = launch_service(launcher, options.deadline);
  if (!first) return std::move(first).error();
  auto impl = std::make_shared<Impl>(io, std::move(options), std::move(launcher));
  impl->adopt(*std::move(first));
  return std::unique_ptr<CompilerClient>(new CompilerClient(std::move(impl)));
}

void CompilerClient::compile(CompileRequest request, OnCompiled on_compiled) {
  impl_->compile(std::move(request), std::move(on_compiled));
}

}  // namespace cordon

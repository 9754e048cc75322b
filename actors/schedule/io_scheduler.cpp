#include "actors/schedule/io_scheduler.h"

#include <caf/actor_system_config.hpp>
#include <caf/atom.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/logger.hpp>
#include <caf/resumable.hpp>

#include <boost/asio/post.hpp>

#include <future>
#include <iostream>
#include <string>

namespace cordon {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

void IoScheduler::use(caf::actor_system_config& config, asio::io_context& io) {
  config.module_factories.push_back([&io](caf::actor_system& system) -> caf::actor_system::module* {
    return new IoScheduler(system, io);
  });
}

IoScheduler::IoScheduler(caf::actor_system& system, asio::io_context& io)
    : abstract_coordinator(system), execution_unit(&system), io_(io), clock_(io) {}

// What is printed is about actors that have thrown.
void IoScheduler::start() {
  utility_actors_[printer_id] = abstract_coordinator::system().spawn<caf::hidden>(
      [](caf::event_based_actor* self) -> caf::behavior {
        self->set_default_handler(caf::drop);
        return {[](caf::add_atom, caf::actor_id, const std::string& text) { std::cerr << text; }};
      });
}

void IoScheduler::enqueue(caf::resumable* job) {
  if (stopped_ || io_.get_executor().running_in_this_thread()) return exec_later(job);
  asio::post(io_, [this, job] { exec_later(job); });
}

void IoScheduler::exec_later(caf::resumable* job) {
  if (stopped_) return cleanup_and_release(job);
  ready_.push_back(job);
  post_run();
}

void IoScheduler::post_run() {
  if (posted_) return;
  posted_ = true;
  asio::post(io_, [this] { run(); });
}

void IoScheduler::run() {
  const auto end = Clock::now() + kTurn;
  while (!ready_.empty()) {
    run_one();
    if (Clock::now() >= end) break;
  }
  posted_ = false;
  if (!ready_.empty()) post_run();
}

// Whoever enqueues a job hands over a reference; it ends when the job waits or is done.
void IoScheduler::run_one() {
  caf::resumable* const job = ready_.front();
  ready_.pop_front();
  if (job->resume(this, max_throughput()) == caf::resumable::resume_later) {
    ready_.push_back(job);
  } else {
    caf::intrusive_ptr_release(job);
  }
}

template <class F>
void IoScheduler::run_there(F work) {
  std::promise<void> done;
  asio::post(io_, [&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

void IoScheduler::stop() {
  stop_actors();
  run_there([this] {
    while (!ready_.empty()) run_one();
    stopped_ = true;
    clock_.stop();
    // Spawning has left it in the thread, and the system waits for its logger to go.
    caf::logger::set_current_actor_system(nullptr);
  });
  run_there([] {});  // what was posted before it knew
}

}  // namespace cordon

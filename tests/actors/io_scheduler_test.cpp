// The scheduler and the clock that run actors on an I/O thread: order, turns, timeouts, the end.

#include "actors/schedule/io_scheduler.h"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "actors/process/io_thread.h"

using namespace cordon;
using namespace std::chrono_literals;
using caf::event_based_actor;

namespace {

constexpr auto kPatience = 60s;  // a test that waits this long has failed

caf::actor_system_config& configured(caf::actor_system_config& config, IoThread& io) {
  config.set("scheduler.max-throughput", std::size_t{5});
  IoScheduler::use(config, io.context());
  return config;
}

struct World {
  IoThread io;
  caf::actor_system_config config;
  caf::actor_system system{configured(config, io)};
};

template <class T>
T get(std::future<T> future) {
  if (future.wait_for(kPatience) != std::future_status::ready)
    throw std::runtime_error("no answer");
  return future.get();
}

std::thread::id thread_of(boost::asio::io_context& io) {
  std::promise<std::thread::id> id;
  boost::asio::post(io, [&] { id.set_value(std::this_thread::get_id()); });
  return get(id.get_future());
}

// Never answers.
caf::behavior silent(event_based_actor* self) {
  return {[self](caf::get_atom) { return self->make_response_promise(); }};
}

struct Held {
  std::shared_ptr<int> token;
};

}  // namespace

TEST_CASE("actors run on the I/O thread") {
  World world;
  std::promise<std::thread::id> id;
  world.system.spawn([&] { id.set_value(std::this_thread::get_id()); });
  CHECK(get(id.get_future()) == thread_of(world.io.context()));
}

TEST_CASE("what several threads send arrives whole, and in the order of each") {
  constexpr int kThreads = 4;
  constexpr int kMessages = 2000;
  World world;
  std::array<int, kThreads> next{};
  int received = 0;
  bool in_order = true;
  std::promise<void> done;
  const auto receiver = world.system.spawn([&](event_based_actor* self) -> caf::behavior {
    return {[&, self](int thread, int number) {
      in_order = in_order && next[static_cast<std::size_t>(thread)]++ == number;
      if (++received != kThreads * kMessages) return;
      done.set_value();
      self->quit();
    }};
  });
  std::vector<std::jthread> senders;
  for (int thread = 0; thread < kThreads; ++thread) {
    senders.emplace_back([&receiver, thread] {
      for (int i = 0; i < kMessages; ++i) caf::anon_send(receiver, thread, i);
    });
  }
  get(done.get_future());
  CHECK(in_order);
}

TEST_CASE("actors become ready in turn, and run in that order") {
  World world;
  std::vector<int> order;
  std::promise<void> done;
  // Sent by one actor in one turn: none of them can run before it gives way.
  world.system.spawn([&](event_based_actor* self) {
    for (int i = 0; i < 5; ++i) self->spawn([&order, i] { order.push_back(i); });
    self->spawn([&done] { done.set_value(); });
  });
  get(done.get_future());
  CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("an actor that is never done starves neither the others nor sockets and timers") {
  World world;
  const auto busy = world.system.spawn([](event_based_actor* self) -> caf::behavior {
    self->send(self, caf::tick_atom::value);
    return {[self](caf::tick_atom) { self->send(self, caf::tick_atom::value); }};
  });
  std::promise<void> other;
  world.system.spawn([&] { other.set_value(); });
  CHECK_NOTHROW(get(other.get_future()));

  std::promise<void> fired;
  boost::asio::steady_timer timer(world.io.context(), 1ms);
  timer.async_wait([&](auto) { fired.set_value(); });
  CHECK_NOTHROW(get(fired.get_future()));

  std::promise<void> delayed;
  world.system.spawn([&](event_based_actor* self) -> caf::behavior {
    self->delayed_send(self, 1ms, caf::ok_atom::value);
    return {[&, self](caf::ok_atom) {
      delayed.set_value();
      self->quit();
    }};
  });
  CHECK_NOTHROW(get(delayed.get_future()));
  caf::anon_send_exit(busy, caf::exit_reason::user_shutdown);
}

TEST_CASE("an actor that throws ends with its error, and the scheduler goes on") {
  World world;
  const auto thrower = world.system.spawn([](event_based_actor*) -> caf::behavior {
    return {[](caf::get_atom) -> int { throw std::runtime_error("a bug"); }};
  });
  caf::scoped_actor self(world.system);
  self->monitor(thrower);
  bool failed = false;
  self->request(thrower, kPatience, caf::get_atom::value)
      .receive([](int) {}, [&](const caf::error&) { failed = true; });
  CHECK(failed);
  self->receive([&](const caf::down_msg& down) { CHECK(down.reason != caf::exit_reason::normal); });

  std::promise<void> next;
  world.system.spawn([&] { next.set_value(); });
  CHECK_NOTHROW(get(next.get_future()));
}

TEST_CASE("timeouts fire when they are due, and not when they were cancelled") {
  using Clock = std::chrono::steady_clock;
  World world;
  const auto mute = world.system.spawn(silent);

  SECTION("of a request between actors") {
    const auto begin = Clock::now();
    std::promise<caf::error> answer;
    world.system.spawn([&](event_based_actor* self) {
      self->request(mute, 20ms, caf::get_atom::value)
          .then([](int) {}, [&](const caf::error& error) { answer.set_value(error); });
    });
    CHECK(get(answer.get_future()) == caf::sec::request_timeout);
    CHECK(Clock::now() - begin >= 20ms);
  }
  SECTION("of a request by another thread") {
    caf::scoped_actor self(world.system);
    caf::error answer;
    self->request(mute, 20ms, caf::get_atom::value)
        .receive([](int) {}, [&](const caf::error& error) { answer = error; });
    CHECK(answer == caf::sec::request_timeout);
  }
  SECTION("of waiting, again and again") {
    std::promise<void> thrice;
    int times = 0;
    world.system.spawn([&](event_based_actor* self) -> caf::behavior {
      return {[](int) {}, caf::after(2ms) >>
                              [&, self] {
                                if (++times != 3) return;
                                thrice.set_value();
                                self->quit();
                              }};
    });
    CHECK_NOTHROW(get(thrice.get_future()));
  }
  SECTION("in the order of their times, whatever the order they were set in") {
    std::vector<int> order;
    std::promise<void> done;
    world.system.spawn([&](event_based_actor* self) -> caf::behavior {
      for (const int delay : {30, 10, 20}) {
        self->delayed_send(self, std::chrono::milliseconds(delay), delay);
      }
      return {[&, self](int delay) {
        order.push_back(delay);
        if (order.size() != 3) return;
        done.set_value();
        self->quit();
      }};
    });
    get(done.get_future());
    CHECK(order == std::vector<int>{10, 20, 30});
  }
  SECTION("not after the answer") {
    const auto prompt = world.system.spawn(
        [](event_based_actor*) -> caf::behavior { return {[](caf::get_atom) { return 1; }}; });
    int errors = 0;
    std::promise<void> done;
    world.system.spawn([&](event_based_actor* self) -> caf::behavior {
      self->request(prompt, 5ms, caf::get_atom::value)
          .then([](int) {}, [&](const caf::error&) { ++errors; });
      self->delayed_send(self, 30ms, caf::ok_atom::value);
      return {[&, self](caf::ok_atom) {
        done.set_value();
        self->quit();
      }};
    });
    get(done.get_future());
    // A busy machine may be too late with the answer, but not answer and time out both.
    CHECK(errors <= 1);
    caf::anon_send_exit(prompt, caf::exit_reason::user_shutdown);
  }
  caf::anon_send_exit(mute, caf::exit_reason::user_shutdown);
}

TEST_CASE("detached and blocking actors have threads of their own") {
  World world;
  std::promise<std::thread::id> detached;
  world.system.spawn<caf::detached>(
      [&](event_based_actor*) { detached.set_value(std::this_thread::get_id()); });
  std::promise<int> blocking;
  const auto waiter = world.system.spawn([&](caf::blocking_actor* self) {
    self->receive([&](int number) { blocking.set_value(number); });
  });
  caf::anon_send(waiter, 7);
  CHECK(get(detached.get_future()) != thread_of(world.io.context()));
  CHECK(get(blocking.get_future()) == 7);
}

TEST_CASE("a system that goes takes along what waits, and leaves the I/O thread to others") {
  IoThread io;
  const auto token = std::make_shared<int>(0);
  const std::weak_ptr<int> weak = token;
  int late = 0;
  {
    caf::actor_system_config config;
    caf::actor_system system(configured(config, io));
    system.await_actors_before_shutdown(false);
    system.spawn([token, &late](caf::stateful_actor<Held>* self) -> caf::behavior {
      self->state.token = token;
      self->delayed_send(self, std::chrono::hours(1), caf::ok_atom::value);
      return {[&late](caf::ok_atom) { ++late; }};
    });
    for (int i = 0; i < 100; ++i) system.spawn([token] {});
  }
  CHECK(thread_of(io.context()) != std::thread::id());
  CHECK(weak.use_count() == 1);
  CHECK(late == 0);

  // The thread serves another system as well as the first.
  caf::actor_system_config config;
  caf::actor_system system(configured(config, io));
  std::promise<void> ran;
  system.spawn([&] { ran.set_value(); });
  CHECK_NOTHROW(get(ran.get_future()));
}

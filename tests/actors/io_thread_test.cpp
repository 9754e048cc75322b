#include "actors/process/io_thread.h"

#include <pthread.h>
#include <time.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>

using namespace cordon;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 30s;

// Runs `work` on the thread, and waits for it.
template <class Work>
void run_there(IoThread& io, Work work) {
  const auto done = std::make_shared<std::promise<void>>();
  auto future = done->get_future();
  boost::asio::post(io.context(), [done, work] {
    work();
    done->set_value();
  });
  REQUIRE(future.wait_for(kPatience) == std::future_status::ready);
}

void expect_more(IoThread& io) {
  auto& expectation = boost::asio::use_service<Expectation>(io.context());
  run_there(io, [&] { expectation.set(); });
}

std::chrono::nanoseconds cpu_time(clockid_t clock) {
  timespec time{};
  REQUIRE(::clock_gettime(clock, &time) == 0);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// CPU time of the thread from a handler on until a timer wakes it 2 ms later.
std::chrono::nanoseconds cpu_until_woken(bool expects) {
  IoThread io;
  clockid_t clock{};
  std::chrono::nanoseconds begin{};
  run_there(io, [&] { ::pthread_getcpuclockid(::pthread_self(), &clock); });
  boost::asio::steady_timer timer(io.context());
  const auto done = std::make_shared<std::promise<void>>();
  auto future = done->get_future();
  run_there(io, [&] {
    if (expects) boost::asio::use_service<Expectation>(io.context()).set();
    begin = cpu_time(clock);
    timer.expires_after(2ms);
    timer.async_wait([done](const boost::system::error_code&) { done->set_value(); });
  });
  REQUIRE(future.wait_for(kPatience) == std::future_status::ready);
  return cpu_time(clock) - begin;
}

}  // namespace

TEST_CASE("a thread that expects more looks for it, and one that does not sleeps") {
  auto looking = 0ns;
  auto sleeping = std::chrono::nanoseconds(1s);
  for (int i = 0; i < 30; ++i) {  // the machine may have other plans
    looking = std::max(looking, cpu_until_woken(true));
    sleeping = std::min(sleeping, cpu_until_woken(false));
  }
  CHECK(looking >= sleeping + 40us);
}

TEST_CASE("a thread that expects more runs what comes, now and later") {
  IoThread io;
  for (int i = 0; i < 200; ++i) {  // looks that find something, and looks in vain
    expect_more(io);
    run_there(io, [] {});
  }
  const auto due = std::make_shared<std::promise<void>>();
  auto future = due->get_future();
  boost::asio::steady_timer timer(io.context(), 5ms);
  timer.async_wait([due](const boost::system::error_code&) { due->set_value(); });
  CHECK(future.wait_for(kPatience) == std::future_status::ready);
}

TEST_CASE("a thread that looks ends when it is told to") {
  for (int i = 0; i < 50; ++i) {
    IoThread io;
    expect_more(io);
    io.stop();
  }
}

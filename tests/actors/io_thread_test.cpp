#include "actors/process/io_thread.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <catch2/catch.hpp>

#include <chrono>
#include <future>

using namespace cordon;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 30s;

bool done(std::future<void>& future) {
  return future.wait_for(kPatience) == std::future_status::ready;
}

// On the thread.
void expect_more(IoThread& io) {
  std::promise<void> expected;
  boost::asio::post(io.context(), [&] {
    IoThread::expect_more();
    expected.set_value();
  });
  auto future = expected.get_future();
  REQUIRE(done(future));
}

}  // namespace

TEST_CASE("a thread that expects more runs what comes, now and later") {
  IoThread io;
  for (int i = 0; i < 200; ++i) {  // looks that find something, and looks in vain
    expect_more(io);
    std::promise<void> ran;
    boost::asio::post(io.context(), [&] { ran.set_value(); });
    auto future = ran.get_future();
    REQUIRE(done(future));
  }
  std::promise<void> due;
  boost::asio::steady_timer timer(io.context(), 5ms);
  timer.async_wait([&](const boost::system::error_code&) { due.set_value(); });
  auto future = due.get_future();
  CHECK(done(future));
}

TEST_CASE("a thread that expects more ends when it is told to") {
  for (int i = 0; i < 50; ++i) {
    IoThread io;
    expect_more(io);
    io.stop();
    bool ran = false;
    boost::asio::post(io.context(), [&] { ran = true; });
    CHECK_FALSE(ran);
  }
}

TEST_CASE("another thread may say that it expects more: nothing comes of it") {
  IoThread io;
  IoThread::expect_more();
  std::promise<void> ran;
  boost::asio::post(io.context(), [&] { ran.set_value(); });
  auto future = ran.get_future();
  CHECK(done(future));
}

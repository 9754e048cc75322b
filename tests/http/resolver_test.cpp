// The system's resolver: names whose servers are silent, many who ask, no thread to ask on, the
// end.

#include "capabilities/http/resolver.h"

#include <sys/resource.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/forked_process.h"
#include "tests/support/sanitized.h"

using namespace cordon;
using Addresses = SystemResolver::Addresses;

TEST_CASE("The system's resolver knows this machine, calls back once and can be stopped") {
  SystemResolver resolver;
  std::promise<Addresses> promise;
  resolver.resolve("localhost", [&](Addresses answer) { promise.set_value(std::move(answer)); });
  const Addresses answer = promise.get_future().get();
  REQUIRE(answer.has_value());
  REQUIRE_FALSE(answer->empty());
  for (const auto& address : *answer) CHECK(address.is_loopback());
  resolver.stop();
  resolver.resolve("localhost", [](const Addresses&) { std::abort(); });
}

TEST_CASE("Without a descriptor to ask with, a name is not said to be missing") {
  if (test::kSanitized) {
    WARN("skipped: a sanitizer needs descriptors of its own");
    return;
  }
  const std::string said = test::in_forked_process([] {
    const rlimit none{0, 0};
    if (::setrlimit(RLIMIT_NOFILE, &none) != 0) return std::string("setrlimit failed");
    SystemResolver resolver;
    std::promise<Addresses> promise;
    resolver.resolve("cordon.invalid",
                     [&](Addresses answer) { promise.set_value(std::move(answer)); });
    const Addresses answer = promise.get_future().get();
    resolver.stop();
    return answer ? std::string("an address") : answer.error();
  });
  CHECK(said == "too many open files");
}

TEST_CASE("Names whose servers are silent hold up no other name, and not the end") {
  struct Servers {
    std::promise<void> end;
    std::shared_future<void> ended = end.get_future().share();
    std::atomic<int> asked = 0;
  };
  const auto servers = std::make_shared<Servers>();
  SystemResolver resolver([servers](const std::string& host) -> Addresses {
    ++servers->asked;
    if (host != "quick.example") servers->ended.wait();
    return std::string("answer for " + host);
  });
  constexpr int kNames = 50;
  for (int i = 0; i < kNames; ++i) {
    // Who asks for the same name waits for the same look-up.
    for (int again = 0; again < 3; ++again) {
      resolver.resolve("silent" + std::to_string(i) + ".example",
                       [](const Addresses&) { std::abort(); });
    }
  }
  std::promise<std::string> promise;
  resolver.resolve("quick.example",
                   [&](const Addresses& answer) { promise.set_value(answer.error()); });
  CHECK(promise.get_future().get() == "answer for quick.example");
  resolver.stop();
  CHECK(servers->asked <= kNames + 1);
  servers->end.set_value();
}

TEST_CASE("One look-up answers all who ask for a name meanwhile") {
  std::promise<void> begin;
  std::atomic<int> asked = 0;
  SystemResolver resolver([&](const std::string&) -> Addresses {
    begin.get_future().wait();
    return std::vector{boost::asio::ip::make_address("192.0.2." + std::to_string(++asked))};
  });
  std::vector<std::promise<std::string>> answers(3);
  for (auto& answer : answers) {
    resolver.resolve("one.example", [&answer](const Addresses& addresses) {
      answer.set_value(addresses->front().to_string());
    });
  }
  begin.set_value();
  for (auto& answer : answers) CHECK(answer.get_future().get() == "192.0.2.1");
}

TEST_CASE("Without a thread to be had, a look-up fails and says what to do") {
  const std::string said = test::in_forked_process([] {
    constexpr uid_t kNobody = 65534;
    const rlimit none{0, 0};
    if (::getuid() == 0 && ::setresuid(kNobody, kNobody, kNobody) != 0)
      return std::string("setuid");
    if (::setrlimit(RLIMIT_NPROC, &none) != 0) return std::string("setrlimit");
    SystemResolver resolver;
    std::string failure = "no answer";
    resolver.resolve("localhost", [&](const Addresses& answer) { failure = answer.error(); });
    return failure;
  });
  CHECK(said == "no thread to look the name up on: raise the limit of processes");
}

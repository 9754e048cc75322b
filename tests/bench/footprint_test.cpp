#include "benchmarks/load/footprint.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <functional>

#include "messages/unique_fd.h"

using namespace cordon::load;
using namespace std::chrono_literals;

namespace {

Footprint look() {
  return {
      .host_kib = 100'000, .service_kib = 50'000, .descriptors = 20, .threads = 8, .processes = 3};
}

}  // namespace

TEST_CASE("a footprint counts descriptors and threads of this process") {
  const Footprint before = take_footprint({});
  CHECK(before.host_kib > 0);
  CHECK(before.service_kib == 0);
  const cordon::UniqueFd file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::atomic<bool> stop = false;
  const std::jthread thread([&stop] { stop.wait(false); });
  const Footprint after = take_footprint({});
  stop = true;
  stop.notify_all();
  CHECK(after.descriptors == before.descriptors + 1);
  CHECK(after.threads == before.threads + 1);
}

TEST_CASE("a watch looks at the start and at the end, and in between when the time has come") {
  FootprintWatch short_one({}, 1h);
  CHECK(short_one.finish().size() == 2);

  FootprintWatch over({}, 0ms);
  std::vector<Footprint> looks = over.finish();
  CHECK(looks.size() >= 2);
  CHECK(looks.size() <= 5);
  for (std::size_t i = 1; i < looks.size(); ++i) CHECK(looks[i].seconds >= looks[i - 1].seconds);
}

TEST_CASE("growth is judged from the first quarter on, with some slack") {
  std::vector<Footprint> looks(5, look());
  CHECK(growth(looks).empty());
  looks[0].host_kib = 10'000;  // what was not warm yet does not count
  CHECK(growth(looks).empty());
  looks[4].host_kib = 104'999;
  CHECK(growth(looks).empty());
  looks[4].host_kib = 105'001;
  CHECK(growth(looks) == "KiB of this process grew from 100000 to 105001");
}

TEST_CASE("whatever else is left behind is growth") {
  for (std::uint64_t Footprint::*held :
       {&Footprint::descriptors, &Footprint::threads, &Footprint::processes}) {
    std::vector<Footprint> looks(5, look());
    looks[2].*held += 10;  // while the loop runs there may be more
    CHECK(growth(looks).empty());
    ++(looks[4].*held);
    CHECK_FALSE(growth(looks).empty());
  }
  std::vector<Footprint> looks(5, look());
  looks[4].service_kib = 60'000;
  CHECK(growth(looks).find("engine") != std::string::npos);
}

#include <catch2/catch.hpp>

#include <random>

#include "engine/crash_report.h"
#include "engine/host_identity.h"

using cordon::engine::choose_host_id;
using cordon::engine::kEngineIds;
using cordon::engine::kFirstEngineId;
using cordon::engine::says_out_of_memory;

TEST_CASE("a root of the whole machine takes an id that nobody has") {
  CHECK(choose_host_id("         0          0 4294967295\n", 0) == kFirstEngineId);
  CHECK(choose_host_id("0 0 4294967295", kEngineIds + 7) == kFirstEngineId + 7);
}

TEST_CASE("a root of a container takes one of its own ids, never 0 while there is another") {
  std::mt19937 random(7);
  for (int round = 0; round < 1000; ++round) {
    const auto id = choose_host_id("0 100000 65536\n", static_cast<std::uint32_t>(random()));
    REQUIRE(id);
    CHECK(*id >= 32768);
    CHECK(*id < 65536);
  }
  CHECK(choose_host_id("0 1000 1\n1 100000 65536\n", 0) == 1 + 32768);
  CHECK(choose_host_id("0 100000 2", 5) == 1);
  CHECK(choose_host_id("0 1000 1\n1 100000 1\n", 5) == 1);
  CHECK(choose_host_id("0 1000 1", 12345) == 0);  // an ordinary user outside
  CHECK_FALSE(choose_host_id("0 0 1", 12345));    // root outside as well
}

TEST_CASE("what is no id map gives no id") {
  CHECK_FALSE(choose_host_id("", 1));
  CHECK_FALSE(choose_host_id("no map", 1));
  CHECK_FALSE(choose_host_id("0 0 0", 1));
  CHECK_FALSE(choose_host_id("4294967295 0 18446744073709551615", 1));
}

TEST_CASE("crash reasons that speak of memory are told from others") {
  CHECK(says_out_of_memory("[unhandlable oom] Failed to allocate"));
  CHECK(says_out_of_memory("OOM in ListNode"));
  CHECK(says_out_of_memory("Out of memory: 0x1000 bytes requested"));
  CHECK_FALSE(says_out_of_memory(nullptr));
  CHECK_FALSE(says_out_of_memory(""));
  CHECK_FALSE(says_out_of_memory("MOZ_RELEASE_ASSERT(idx < length)"));
  CHECK_FALSE(says_out_of_memory("MOZ_RELEASE_ASSERT(room)"));
  CHECK_FALSE(says_out_of_memory("o"));
}

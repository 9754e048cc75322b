#include "actors/fair_queue.h"

#include <catch2/catch.hpp>

#include <string>

using namespace cordon;

namespace {

const auto kAnyone = [](const std::string&) { return true; };
const auto kAnything = [](int) { return true; };

}  // namespace

TEST_CASE("a tenant that comes back waits for its turn") {
  FairQueue<int> queue;
  queue.push("a", 1);
  CHECK(queue.pop(kAnyone) == 1);
  CHECK_FALSE(queue.pop(kAnyone));
  queue.push("b", 2);
  queue.push("b", 3);
  queue.push("a", 4);
  CHECK(queue.size() == 3);
  CHECK(queue.pop(kAnyone) == 2);
  CHECK(queue.pop(kAnyone) == 4);
  CHECK(queue.pop(kAnyone) == 3);
  CHECK(queue.empty());
}

TEST_CASE("who may not start keeps its turn") {
  FairQueue<int> queue;
  queue.push("a", 1);
  queue.push("b", 2);
  queue.push("b", 3);
  const auto not_a = [](const std::string& tenant) { return tenant != "a"; };
  CHECK(queue.pop(not_a) == 2);
  CHECK(queue.pop(kAnyone) == 1);
  CHECK(queue.pop(kAnyone) == 3);
}

TEST_CASE("one item is removed wherever it waits") {
  FairQueue<int> queue;
  queue.push("a", 1);
  queue.push("a", 2);
  queue.push("a", 3);
  CHECK(queue.remove([](int item) { return item == 2; }) == 2);
  CHECK_FALSE(queue.remove([](int item) { return item == 2; }));
  CHECK(queue.size_of("a") == 2);
  CHECK(queue.size_of("b") == 0);
}

TEST_CASE("the newest that may go makes room, and only for a tenant that has fewer") {
  FairQueue<int> queue;
  queue.push("a", 1);
  CHECK_FALSE(queue.displace_for("b", kAnything));
  queue.push("a", 2);
  queue.push("a", 3);
  CHECK_FALSE(queue.displace_for("a", kAnything));
  CHECK_FALSE(queue.displace_for("b", [](int) { return false; }));
  CHECK(queue.displace_for("b", [](int item) { return item != 3; }) == 2);
  queue.push("b", 4);
  CHECK_FALSE(queue.displace_for("b", kAnything));
  CHECK(queue.pop(kAnyone) == 1);
}

#include "actors/compile/compile_cache.h"

#include <catch2/catch.hpp>

#include <string>

namespace cordon {
namespace {

CompileCache::Key key_of(const std::string& source, bool decorators = false) {
  const auto key = CompileCache::key({source, decorators});
  REQUIRE(key.has_value());
  return *key;
}

TEST_CASE("a stored module is found by the same request only") {
  CompileCache cache;
  cache.store(key_of("a"), {"code of a", nullptr});
  REQUIRE(cache.find(key_of("a")).has_value());
  CHECK(cache.find(key_of("a"))->code == "code of a");
  CHECK_FALSE(cache.find(key_of("b")).has_value());
  CHECK_FALSE(cache.find(key_of("a", true)).has_value());
}

TEST_CASE("the least recently used module goes first") {
  CompileCache cache;
  const auto nth = [](std::size_t i) { return key_of("source " + std::to_string(i)); };
  for (std::size_t i = 0; i < CompileCache::kMaxModules; ++i)
    cache.store(nth(i), {"code", nullptr});
  CHECK(cache.find(nth(0)).has_value());
  cache.store(nth(CompileCache::kMaxModules), {"code", nullptr});
  CHECK(cache.find(nth(0)).has_value());
  CHECK_FALSE(cache.find(nth(1)).has_value());
  CHECK(cache.find(nth(CompileCache::kMaxModules)).has_value());
}

TEST_CASE("what is large is not kept") {
  CompileCache cache;
  CHECK(CompileCache::key({std::string(CompileCache::kMaxSourceBytes, ' '), false}).has_value());
  CHECK_FALSE(
      CompileCache::key({std::string(CompileCache::kMaxSourceBytes + 1, ' '), false}).has_value());
  cache.store(key_of("a"), {std::string(CompileCache::kMaxCodeBytes + 1, ' '), nullptr});
  CHECK_FALSE(cache.find(key_of("a")).has_value());
}

}  // namespace
}  // namespace cordon

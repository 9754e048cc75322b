// Sources that are made to hurt the compiler or those who share it.

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "tests/compile/direct_launcher.h"
#include "tests/compile/running_client.h"

namespace cordon {
namespace {

using test::DirectLauncher;
using test::Outcome;
using test::RunningClient;

std::string repeat(const std::string& text, int times) {
  std::string all;
  all.reserve(text.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

constexpr int kDeep = 100'000;

std::string deep_parentheses() {
  return "export default () => " + repeat("(", kDeep) + "1" + repeat(")", kDeep) + ";";
}

bool is_honest_end(const Outcome& outcome) {
  return outcome || outcome.error().kind == CompileFailure::Kind::kResources ||
         outcome.error().kind == CompileFailure::Kind::kSyntax;
}

TEST_CASE("deeply nested sources end, and the client lives") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  const std::vector<std::string> sources{
      deep_parentheses(),
      "type T = " + repeat("A<", kDeep) + "1" + repeat(">", kDeep) + ";\nexport default () => 1;",
      "export default () => " + repeat("`${", kDeep) + "1" + repeat("}`", kDeep) + ";",
      "export default (x = 1) => { " + repeat("if (x > 1) {} else ", kDeep) + "{} return 1; };",
      "let x = " + repeat("[", 1'000'000),
      "let x = " + repeat("!", 1'000'000) + "1",
  };
  for (auto& outcome : client.start_all(sources)) {
    CHECK(is_honest_end(test::get(std::move(outcome))));
  }
  CHECK(client.compile("let x: number = 1").has_value());
}

TEST_CASE("sources of four megabytes end") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  constexpr int kBytes = 4 << 20;
  const std::vector<std::string> sources{
      "let s = '" + std::string(kBytes - 20, 'a') + "';",
      repeat("export function f(a: number): void { g(a + 1) }\n", 1000),
      std::string(kBytes, ';'),
      std::string(kBytes, '\0'),
      repeat("a;", kBytes / 2),
  };
  for (auto& outcome : client.start_all(sources)) {
    CHECK(is_honest_end(test::get(std::move(outcome))));
  }
  CHECK(test::code_of(client.compile(sources.front())).size() > kBytes - 100);
}

// One line with an error for every few bytes: esbuild repeats the line in each.
std::string killer() { return repeat("delete x;", 20'000); }

TEST_CASE("a source that kills the service fails alone") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  std::vector<std::future<Outcome>> neighbours;
  for (int i = 0; i < 20; ++i) neighbours.push_back(client.start(test::program(i)));
  auto hostile = client.start(killer());
  for (int i = 20; i < 40; ++i) neighbours.push_back(client.start(test::program(i)));

  const Outcome failed = test::get(std::move(hostile));
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().kind == CompileFailure::Kind::kResources);
  for (int i = 0; i < 40; ++i)
    test::check_program(test::get(std::move(neighbours.at(static_cast<std::size_t>(i)))), i);
  CHECK(client.compile("let x: number = 1").has_value());
  CHECK(direct.started().size() >= 3);
}

TEST_CASE("several such sources at once do not starve the rest") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  auto first = client.start(killer());
  auto second = client.start(killer());
  std::vector<std::future<Outcome>> neighbours;
  for (int i = 0; i < 40; ++i) neighbours.push_back(client.start(test::program(i)));
  for (int i = 0; i < 40; ++i)
    test::check_program(test::get(std::move(neighbours.at(static_cast<std::size_t>(i)))), i);
  CHECK_FALSE(test::get(std::move(first)).has_value());
  CHECK_FALSE(test::get(std::move(second)).has_value());
}

}  // namespace
}  // namespace cordon

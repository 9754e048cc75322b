// The compiler as it really runs: by the engine's launcher, locked down.

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "actors/compile/compiler_client.h"
#include "actors/compile/service_launcher.h"
#include "tests/compile/running_client.h"

namespace cordon {
namespace {

CompilerOptions options() {
  CompilerOptions options;
  options.launcher = CORDON_ENGINE;
  options.esbuild = CORDON_ESBUILD;
  return options;
}

// A host that cannot lock anything down has nothing to test here, and says so.
bool is_missing_on_this_host(const StartFailure& failure) {
  return failure.mechanism.find("namespace") != std::string::npos ||
         failure.mechanism == "landlock" || failure.mechanism == "seccomp";
}

#define REQUIRE_LOCKDOWN()                                                         \
  if (const auto probe = engine_launcher(options())(); !probe.has_value()) {       \
    INFO(probe.error().mechanism << ": " << probe.error().message);                \
    REQUIRE(is_missing_on_this_host(probe.error()));                               \
    WARN("SKIPPED: " << probe.error().mechanism << ": " << probe.error().message); \
    return;                                                                        \
  }

TEST_CASE("the locked-down compiler compiles") {
  REQUIRE_LOCKDOWN();
  test::RunningClient client(engine_launcher(options()));
  std::vector<std::future<test::Outcome>> outcomes;
  for (int i = 0; i < 100; ++i) outcomes.push_back(client.start(test::program(i)));
  for (int i = 0; i < 100; ++i) {
    test::check_program(test::get(std::move(outcomes.at(static_cast<std::size_t>(i)))), i);
  }
  CHECK(client.compile("let x: = 1").error().kind == CompileFailure::Kind::kSyntax);
}

TEST_CASE("the locked-down compiler's memory is bounded and its replacement serves") {
  REQUIRE_LOCKDOWN();
  test::RunningClient client(engine_launcher(options()));
  // One line with an error for every few bytes: esbuild repeats the line in each.
  std::string killer;
  for (int i = 0; i < 20'000; ++i) killer += "delete x;";
  auto hostile = client.start(killer);
  auto neighbour = client.start("let x: number = 1");
  CHECK(test::get(std::move(hostile)).error().kind == CompileFailure::Kind::kResources);
  CHECK(test::code_of(test::get(std::move(neighbour))) == "let x = 1;\n");
}

TEST_CASE("a large source is compiled in the locked-down compiler") {
  REQUIRE_LOCKDOWN();
  test::RunningClient client(engine_launcher(options()));
  std::string source;
  while (source.size() < (std::size_t{4} << 20) - 100) {
    source += "export function f" + std::to_string(source.size()) + "(a: number): void { g(a) }\n";
  }
  CHECK(test::code_of(client.compile(source)).size() > (std::size_t{2} << 20));
}

TEST_CASE("a missing compiler is reported") {
  CompilerOptions missing = options();
  missing.esbuild = "/nonexistent/cordon-esbuild";
  boost::asio::io_context io;
  const auto started = CompilerClient::start(io, missing);
  REQUIRE_FALSE(started.has_value());
  CHECK(started.error().message.find("/nonexistent/cordon-esbuild") != std::string::npos);
  CHECK_FALSE(started.error().remedy.empty());
}

TEST_CASE("a program of another version is reported") {
  REQUIRE_LOCKDOWN();
  CompilerOptions wrong = options();
  wrong.esbuild = "/usr/bin/true";
  boost::asio::io_context io;
  CHECK_FALSE(CompilerClient::start(io, wrong).has_value());
}

}  // namespace
}  // namespace cordon

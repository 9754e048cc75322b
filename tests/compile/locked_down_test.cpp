// The compiler as it really runs: by the engine's launcher, locked down.

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "actors/compile/compiler_client.h"
#include "actors/compile/compiler_service.h"
#include "actors/compile/service_launcher.h"
#include "tests/compile/running_client.h"

namespace cordon {
namespace {

CompilerOptions options() {
  CompilerOptions options;
  options.launcher = CORDON_ENGINE;
  options.esbuild = CORDON_ESBUILD;
  options.transpiler = CORDON_TRANSPILER;
  return options;
}

// A host that cannot lock anything down has nothing to test here, and says so.
bool is_missing_on_this_host(const StartFailure& failure) {
  return failure.mechanism.find("namespace") != std::string::npos ||
         failure.mechanism == "landlock" || failure.mechanism == "seccomp";
}

#define REQUIRE_LOCKDOWN()                                                            \
  if (const auto probe = engine_launchers(options()).esbuild(); !probe.has_value()) { \
    INFO(probe.error().mechanism << ": " << probe.error().message);                   \
    REQUIRE(is_missing_on_this_host(probe.error()));                                  \
    WARN("SKIPPED: " << probe.error().mechanism << ": " << probe.error().message);    \
    return;                                                                           \
  }

TEST_CASE("the locked-down compiler compiles") {
  REQUIRE_LOCKDOWN();
  test::RunningClient client(engine_launchers(options()));
  std::vector<std::future<test::Outcome>> outcomes;
  for (int i = 0; i < 100; ++i) outcomes.push_back(client.start(test::program(i)));
  for (int i = 0; i < 100; ++i) {
    test::check_program(test::get(std::move(outcomes.at(static_cast<std::size_t>(i)))), i);
  }
  CHECK(client.compile("let x: = 1").error().kind == CompileFailure::Kind::kSyntax);
}

TEST_CASE("the locked-down compiler's memory is bounded and its replacement serves") {
  REQUIRE_LOCKDOWN();
  test::RunningClient client(engine_launchers(options()));
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
  test::RunningClient client(engine_launchers(options()));
  std::string source;
  while (source.size() < (std::size_t{4} << 20) - 100) {
    source += "export function f" + std::to_string(source.size()) + "(a: number): void { g(a) }\n";
  }
  CHECK(test::code_of(client.compile(source)).size() > (std::size_t{2} << 20));
}

TEST_CASE("the locked-down quick compiler compiles, and hands on what it does not know") {
  REQUIRE_LOCKDOWN();
  test::RunningClient client(engine_launchers(options()));
  const auto plain = client.compile("export const a: number = 1;");
  REQUIRE(plain.has_value());
  CHECK(plain->is_quick);
  const auto other = client.compile("enum E { A } export const a = E.A;");
  REQUIRE(other.has_value());
  CHECK_FALSE(other->is_quick);
}

TEST_CASE("the locked-down quick compiler survives what exhausts its stack or its time") {
  REQUIRE_LOCKDOWN();
  auto quick =
      launch_service(engine_launchers(options()).quick, quick_greeting(), std::chrono::seconds(20));
  REQUIRE(quick.has_value());
  boost::asio::io_context io;
  std::vector<bool> done;
  const auto service = *CompilerService::open(
      io, kQuickProtocol, *std::move(quick), std::chrono::seconds(20),
      {.on_answer =
           [&](CompileJob, const esbuild::Answer& answer) {
             done.push_back(std::holds_alternative<esbuild::Transformed>(answer));
             if (done.size() == 5) io.stop();
           },
       .on_broken = [&](const ServiceRemains&) { io.stop(); }});
  const std::string deep = "x = " + std::string(30'000, '(');
  std::string slow = "x = ";
  for (int i = 0; i < 14; ++i) slow += "(a = ";
  for (const std::string& source :
       {std::string("let a: number = 1"), deep, std::string("let b: = 1"), slow,
        std::string("let c: number = 1")}) {
    service->send({.request = {source}, .on_compiled = {}});
  }
  io.run_for(std::chrono::seconds(60));
  CHECK(done == std::vector<bool>{true, false, false, false, true});
}

TEST_CASE("a missing quick compiler is reported") {
  REQUIRE_LOCKDOWN();
  CompilerOptions missing = options();
  missing.transpiler = "/nonexistent/cordon-transpiler";
  boost::asio::io_context io;
  const auto started = CompilerClient::start(io, missing);
  REQUIRE_FALSE(started.has_value());
  CHECK(started.error().message.find("/nonexistent/cordon-transpiler") != std::string::npos);
  CHECK(started.error().remedy == "install cordon-transpiler beside cordon");
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

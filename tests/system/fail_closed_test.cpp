// What the sandbox is made of is missing, is another's, or goes away while the runtime lives:
// nothing runs, the error names it and the remedy, and once it is back calls run again.

#include <catch2/catch.hpp>

#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <string>

#include "tests/system/killer.h"
#include "tests/system/own_process.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using Catch::Matchers::Contains;
using test::ScratchDirectory;
using test::World;

namespace {

namespace fs = std::filesystem;

constexpr const char* kOne = "export default () => 1;";

// A directory of links to the real programs, for taking one away.
class Programs {
 public:
  Programs() {
    for (const char* name : {"cordon-engine", "cordon-esbuild", "cordon-transpiler"}) put(name);
  }
  void put(const std::string& name) const { fs::create_symlink(real() / name, scratch_ / name); }
  void put(const std::string& name, const fs::path& target) const {
    take(name);
    fs::create_symlink(target, scratch_ / name);
  }
  void take(const std::string& name) const { fs::remove(scratch_ / name); }
  RuntimeOptions options() const {
    RuntimeOptions options;
    options.engine_directory = scratch_.path();
    options.spare_children = 0;
    return options;
  }

 private:
  static fs::path real() { return fs::read_symlink("/proc/self/exe").parent_path(); }
  ScratchDirectory scratch_;
};

void check_refused(const Programs& programs, const std::string& what, const std::string& remedy) {
  try {
    const World world(programs.options());
    FAIL("it started");
  } catch (const Unavailable& problem) {
    CHECK_THAT(problem.what(), Contains(what) && Contains(remedy));
  }
  CHECK(test::children().empty());
}

}  // namespace

TEST_CASE("fail closed: a runtime does not start without its own engine and compiler") {
  const Programs programs;
  CHECK(World(programs.options()).run(kOne).status == Status::kOk);
  SECTION("no engine") {
    programs.take("cordon-engine");
    check_refused(programs, "engine executable", "install cordon-engine");
  }
  SECTION("an engine of another build") {
    programs.put("cordon-engine", CORDON_OTHER_BUILD_ENGINE);
    check_refused(programs, "engine build", "install the one of build");
  }
  SECTION("a program that is no engine") {
    programs.put("cordon-engine", "/bin/true");
    check_refused(programs, "engine", "reinstall cordon-engine");
  }
  SECTION("no compiler") {
    programs.take("cordon-esbuild");
    check_refused(programs, "TypeScript compiler", "install cordon-esbuild");
  }
  SECTION("a program that is no compiler") {
    programs.put("cordon-esbuild", "/bin/true");
    check_refused(programs, "compiler", "install a cordon-esbuild");
  }
  SECTION("no quick compiler") {
    programs.take("cordon-transpiler");
    check_refused(programs, "TypeScript compiler", "install cordon-transpiler");
  }
  SECTION("a program that is no quick compiler") {
    programs.put("cordon-transpiler", "/bin/true");
    check_refused(programs, "compiler", "install a cordon-esbuild and a cordon-transpiler");
  }
  SECTION("the other compiler in the quick one's place") {
    programs.put("cordon-transpiler",
                 fs::read_symlink("/proc/self/exe").parent_path() / "cordon-esbuild");
    check_refused(programs, "TypeScript compiler", "its parts do not fit");
  }
}

TEST_CASE("fail closed: a host with little stack starts nothing, and names the limit") {
  CHECK(test::in_own_process([] {
          const rlimit little{1 << 20, 1 << 20};
          test::require(::setrlimit(RLIMIT_STACK, &little) == 0, "setrlimit");
          try {
            const World world;
          } catch (const Unavailable& why) {
            test::require(std::string(why.what()).find("RLIMIT_STACK") != std::string::npos,
                          why.what());
            return;
          }
          throw std::runtime_error("it started");
        }) == test::kGood);
}

TEST_CASE("fail closed: an engine that goes away makes calls unavailable until it is back") {
  const Programs programs;
  World world(programs.options());
  REQUIRE(world.run(kOne).status == Status::kOk);
  programs.take("cordon-engine");
  REQUIRE(::kill(test::zygote(), SIGKILL) == 0);
  const Outcome outcome = world.run(kOne);
  CHECK(outcome.status == Status::kUnavailable);
  CHECK_THAT(outcome.error->message,
             Contains("engine executable") && Contains("install cordon-engine"));
  CHECK(outcome.usage.cpu_ms == 0);
  CHECK(world.event_lines().back() == "execute error");
  programs.put("cordon-engine");
  CHECK(world.run(kOne).status == Status::kOk);
}

TEST_CASE(
    "fail closed: a compiler that goes away makes new programs unavailable until it is back") {
  const Programs programs;
  World world(programs.options());
  REQUIRE(world.run(kOne).status == Status::kOk);
  programs.take("cordon-esbuild");
  REQUIRE(test::kill_compilers());
  const Outcome outcome = world.run("enum E { A } export default () => 'never seen before';");
  CHECK(outcome.status == Status::kUnavailable);
  CHECK_THAT(outcome.error->message, Contains("cordon-esbuild"));
  programs.put("cordon-esbuild");
  CHECK(world.run("enum E { A } export default () => 'nor this one';").status == Status::kOk);
}

TEST_CASE("a quick compiler that goes away while the runtime works is missed by nobody") {
  const Programs programs;
  World world(programs.options());
  REQUIRE(world.run(kOne).status == Status::kOk);
  programs.take("cordon-transpiler");
  REQUIRE(test::kill_compilers());
  for (int i = 0; i < 10; ++i) {
    const Outcome outcome =
        world.run("export default (): string => 'program " + std::to_string(i) + "';");
    CHECK(outcome.status == Status::kOk);
  }
}

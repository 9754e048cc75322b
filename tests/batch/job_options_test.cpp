#include "cli/batch/job_options.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/cli/support/temporary_directory.h"

using namespace cordon;
using namespace cordon::batch;
using nlohmann::json;

namespace {

AISandboxOptions command(const std::string& root) {
  AISandboxOptions options;
  options.filesystem = {{root}, {}};
  options.network = {{"https://a.example"}, {"GET", "POST"}, false};
  options.environment = {{"MODE", "fast"}};
  options.secrets = {{"KEY", "secret"}};
  options.modules = {{"m", "export {}"}};
  options.resources.wall_clock_ms = 1000;
  return options;
}

std::string problem(const JobGrants& grants, const json& options) {
  const auto narrowed = grants.narrowed(options);
  REQUIRE_FALSE(narrowed.has_value());
  return narrowed.error().message;
}

}  // namespace

TEST_CASE("a job may have less than the command grants") {
  const test::TemporaryDirectory directory;
  const JobGrants grants(command(directory.path()));
  const auto same = grants.narrowed(json::object());
  REQUIRE(same.has_value());
  CHECK(same->secrets == grants.command().secrets);
  CHECK(same->modules == grants.command().modules);
  CHECK(same->environment == grants.command().environment);
  CHECK(same->resources.wall_clock_ms == 1000);

  const auto less = grants.narrowed({{"resources", {{"wallClockMs", 500}}},
                                     {"network", {{"origins", {"https://a.example"}}}},
                                     {"environment", json::object()},
                                     {"filesystem", {{"read", json::array()}}}});
  REQUIRE(less.has_value());
  CHECK(less->resources.wall_clock_ms == 500);
  CHECK(less->resources.max_operations == 100);
  CHECK(less->network->methods == std::vector<std::string>{"GET"});
  CHECK(less->environment.empty());
  CHECK(less->filesystem->read.empty());
}

TEST_CASE("a job may not have more, and is told which field asks for it") {
  const test::TemporaryDirectory directory;
  const JobGrants grants(command(directory.path()));
  const auto check = [&](const json& options, const std::string& field) {
    const std::string message = problem(grants, options);
    INFO(message);
    CHECK(message.starts_with("options." + field + ": "));
  };
  check({{"resources", {{"wallClockMs", 1001}}}}, "resources.wallClockMs");
  check({{"network", {{"origins", {"https://b.example"}}}}}, "network.origins");
  check({{"network", {{"origins", {"https://a.example"}}, {"methods", {"PUT"}}}}},
        "network.methods");
  check({{"network", {{"origins", {"https://a.example"}}, {"allowPrivateAddresses", true}}}},
        "network.allowPrivateAddresses");
  check({{"environment", {{"MODE", "slow"}}}}, "environment");
  check({{"environment", {{"PATH", "x"}}}}, "environment");
  check({{"filesystem", {{"read", {"/"}}}}}, "filesystem.read");
  check({{"filesystem", {{"write", {directory.path().string()}}}}}, "filesystem.write");
  check({{"modules", json::object()}}, "modules");
  check({{"secrets", {{"KEY", {{"env", "HOME"}}}}}}, "secrets");
  check({{"subprocess", {{"commands", {"/bin/true"}}}}}, "subprocess");
  check({{"colour", 1}}, "colour");
  check({{"resources", {{"wallClockMs", -1}}}}, "resources.wallClockMs");
}

TEST_CASE("a root that leads out of the granted one through a link is more") {
  const test::TemporaryDirectory directory;
  directory.write("in/file", "");
  directory.write("out/file", "");
  const std::string in = directory.path() / "in";
  std::filesystem::create_directory_symlink(directory.path() / "out", in + "/link");
  const JobGrants grants(command(in));
  CHECK(grants.narrowed({{"filesystem", {{"read", {in + "/file"}}}}}).has_value());
  CHECK(problem(grants, {{"filesystem", {{"read", {in + "/link"}}}}})
            .starts_with("options.filesystem.read"));
  CHECK(problem(grants, {{"filesystem", {{"read", {in + "/link/.."}}}}})
            .starts_with("options.filesystem.read"));
  CHECK(problem(grants, {{"filesystem", {{"read", {in + "-not"}}}}})
            .starts_with("options.filesystem.read"));
}

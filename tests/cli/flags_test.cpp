// Flags to options, both sides.

#include <unistd.h>

#include <catch2/catch.hpp>

#include "cli/flag_names.h"
#include "cli/grant_flags.h"
#include "cli/limit_flags.h"
#include "tests/cli/support/temporary_directory.h"

using namespace cordon;
using Texts = std::vector<std::string>;

namespace {

Result<AISandboxOptions, UsageError> parse(const Texts& flags, const Surroundings& surroundings) {
  CLI::App app;
  const GrantFlags grants(app);
  const LimitFlags limits(app);
  app.parse(Texts(flags.rbegin(), flags.rend()));
  const auto resources = limits.resources();
  if (!resources) return resources.error();
  return grants.options(surroundings, {.resources = *resources});
}

Surroundings in(const std::filesystem::path& directory) {
  return {directory, [](const std::string& name) -> std::optional<std::string> {
            if (name == "SET") return "from caller";
            if (name == "EMPTY") return "";
            return std::nullopt;
          }};
}

AISandboxOptions options_of(const Texts& flags) { return *parse(flags, in("/")); }

std::string problem_of(const Texts& flags) {
  const auto options = parse(flags, in("/"));
  return options ? "none" : options.error().message;
}

}  // namespace

TEST_CASE("No flag, no grant") {
  const AISandboxOptions options = options_of({});
  CHECK(!options.filesystem);
  CHECK(!options.network);
  CHECK(!options.subprocess);
  CHECK(options.environment.empty());
  CHECK(options.secrets.empty());
  CHECK(options.modules.empty());
  CHECK(!options.experimental_decorators);
  CHECK(options.resources.max_operations == 100);
  CHECK(!options.resources.max_cpu_ms);
}

TEST_CASE("Path grants are resolved against the working directory, links included") {
  const test::TemporaryDirectory directory;
  directory.write("real/file", "");
  std::filesystem::create_symlink("real", directory.path() / "link");
  const auto here = directory.path().string();
  const auto options =
      parse({"--allow-read=real,link,.,/etc", "--allow-read=a,,b", "--allow-write=link/../real"},
            in(directory.path()));
  CHECK(options->filesystem->read ==
        Texts{here + "/real", here + "/real", here, "/etc", here + "/a,b"});
  CHECK(options->filesystem->write == Texts{here + "/real"});
}

TEST_CASE("Command grants keep their name") {
  const test::TemporaryDirectory directory;
  directory.write("real/tool", "");
  std::filesystem::create_symlink("tool", directory.path() / "real/alias");
  const auto here = directory.path().string();
  const auto options =
      parse({"--allow-run=/bin/sh,real/alias", "--allow-run=tool"}, in(directory.path()));
  CHECK(options->subprocess->commands == Texts{"/bin/sh", here + "/real/alias", here + "/tool"});
}

TEST_CASE("Network grants") {
  const auto options = options_of({"--allow-net=https://a.example,http://b.example:8080",
                                   "--allow-methods=GET,POST", "--allow-private-addresses"});
  CHECK(options.network->origins == Texts{"https://a.example", "http://b.example:8080"});
  CHECK(options.network->methods == Texts{"GET", "POST"});
  CHECK(options.network->allow_private_addresses);
  CHECK(options_of({"--allow-net=https://a.example"}).network->methods == Texts{"GET"});
  CHECK(!options_of({"--allow-net=https://a.example"}).network->allow_private_addresses);
  CHECK(problem_of({"--allow-methods=POST"}) ==
        "--allow-methods: needs --allow-net=ORIGIN as well");
  CHECK(problem_of({"--allow-private-addresses"}) ==
        "--allow-private-addresses: needs --allow-net=ORIGIN as well");
}

TEST_CASE("Environment grants come from the flag or the caller") {
  const auto options = options_of({"--allow-env=A=1,B==x=", "--allow-env=SET,EMPTY,C=a,,b"});
  CHECK(options.environment ==
        std::map<std::string, std::string>{
            {"A", "1"}, {"B", "=x="}, {"SET", "from caller"}, {"EMPTY", ""}, {"C", "a,b"}});
  CHECK(problem_of({"--allow-env=ABSENT"}) ==
        "--allow-env=ABSENT: the variable is not set; give a value as --allow-env=ABSENT=VALUE");
  CHECK(problem_of({"--allow-env==x"}) == "--allow-env: expected NAME or NAME=VALUE");
}

TEST_CASE("Secrets come from a variable, a file or a descriptor") {
  const test::TemporaryDirectory directory;
  directory.write("one-line", "from file\n");
  directory.write("two-lines", "a\nb\n\n");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "from pipe\r\n", 11) == 11);
  ::close(ends[1]);
  const auto options =
      parse({"--secret=A=env:SET", "--secret=B=file:one-line", "--secret=C=file:two-lines",
             "--secret=D=fd:" + std::to_string(ends[0])},
            in(directory.path()));
  CHECK(options->secrets ==
        std::map<std::string, std::string>{
            {"A", "from caller"}, {"B", "from file"}, {"C", "a\nb\n"}, {"D", "from pipe"}});
}

TEST_CASE("A secret's value is not taken from the command line, nor repeated from it") {
  for (const std::string flag :
       {"--secret=A=hunter2", "--secret=hunter2", "--secret=A=", "--secret=A=fd:hunter2",
        "--secret=A=env:", "--secret=A=FILE:hunter2", "--secret=A=fd:-1"}) {
    INFO(flag);
    const std::string problem = problem_of({flag});
    CHECK(problem.starts_with("--secret"));
    CHECK(problem.find("expected") != std::string::npos);
    CHECK(problem.find("hunter2") == std::string::npos);
  }
  CHECK(problem_of({"--secret=A=env:ABSENT"}) == "--secret=A: env:ABSENT: the variable is not set");
  CHECK(problem_of({"--secret=A=file:/nonexistent/x"}) ==
        "--secret=A: file:/nonexistent/x: No such file or directory");
  CHECK(problem_of({"--secret=A=env:SET", "--secret=A=env:SET"}) ==
        "--secret=A: given more than once");
}

TEST_CASE("Modules are read from files") {
  const test::TemporaryDirectory directory;
  directory.write("lib.mjs", "export default 1;");
  const auto options =
      parse({"--module=node:assert=lib.mjs", "--module=b=./lib.mjs"}, in(directory.path()));
  CHECK(options->modules == std::map<std::string, std::string>{{"node:assert", "export default 1;"},
                                                               {"b", "export default 1;"}});
  CHECK(problem_of({"--module=a"}).starts_with("--module: expected SPECIFIER=FILE"));
  CHECK(problem_of({"--module=a=/nonexistent"}) ==
        "--module=a: /nonexistent: No such file or directory");
  CHECK(
      parse({"--module=a=lib.mjs", "--max-source-bytes=4"}, in(directory.path())).error().message ==
      "--module=a: lib.mjs: larger than 4 bytes; see --max-source-bytes");
}

TEST_CASE("Every limit has a flag") {
  const auto resources =
      options_of({"--timeout=20ms", "--cpu-time=2s", "--memory=64M", "--max-ops=7",
                  "--max-concurrent-ops=3", "--max-read-bytes=11", "--max-write-bytes=12",
                  "--max-network-bytes=13", "--max-output-bytes=14", "--max-console-bytes=15",
                  "--max-result-bytes=16", "--max-source-bytes=1K"})
          .resources;
  CHECK(resources.wall_clock_ms == 20);
  CHECK(resources.max_cpu_ms == 2000u);
  CHECK(resources.max_memory_bytes == 64u << 20);
  CHECK(resources.max_operations == 7);
  CHECK(resources.max_concurrent_operations == 3);
  CHECK(resources.max_read_bytes == 11);
  CHECK(resources.max_write_bytes == 12);
  CHECK(resources.max_network_bytes == 13);
  CHECK(resources.max_process_output_bytes == 14);
  CHECK(resources.max_console_bytes == 15);
  CHECK(resources.max_result_bytes == 16);
  CHECK(resources.max_source_bytes == 1024);
  CHECK(problem_of({"--timeout=20"}).starts_with("--timeout=20: expected"));
  CHECK(problem_of({"--memory=256"}).starts_with("--memory=256: expected"));
  for (const std::string flag :
       {"--timeout=0s", "--cpu-time=0s", "--memory=0M", "--max-ops=0", "--max-concurrent-ops=0",
        "--max-read-bytes=0", "--max-write-bytes=0", "--max-network-bytes=0",
        "--max-output-bytes=0", "--max-console-bytes=0", "--max-result-bytes=0",
        "--max-source-bytes=0"}) {
    CHECK(problem_of({flag}).starts_with(flag + ": expected"));
  }
}

TEST_CASE("A flag takes one word, whatever the word looks like") {
  CHECK(options_of({"--allow-read", "[a,b]"}).filesystem->read == Texts{"/[a", "/b]"});
  CHECK_THROWS_AS(parse({"--allow-read", "/a", "/b"}, in("/")), CLI::ExtrasError);
  CHECK_THROWS_AS(parse({"--allow-nothing=x"}, in("/")), CLI::ExtrasError);
  CHECK(options_of({"--experimental-decorators"}).experimental_decorators);
  CHECK_FALSE(options_of({"--experimental-decorators=false"}).experimental_decorators);
  CHECK_THROWS_AS(parse({"--experimental-decorators=maybe"}, in("/")), CLI::ValidationError);
}

TEST_CASE("Options are traced back to their flags") {
  CHECK(flag_of_option("filesystem.read") == "--allow-read");
  CHECK(flag_of_option("filesystem.read[3]") == "--allow-read");
  CHECK(flag_of_option("secrets.TOKEN") == "--secret");
  CHECK(flag_of_option("resources.maxOperations") == "--max-ops");
  CHECK(flag_of_option("environment") == "--allow-env");
  CHECK(flag_of_option("environmental") == "");
  CHECK(flag_of_option("subprocess.timeoutMs") == "");
}

TEST_CASE("Denials are traced to the flags that would change them") {
  const auto flags = [](const char* capability, const char* message) {
    return flags_of_denial({capability, message, std::nullopt});
  };
  CHECK(flags("filesystem.read", "not granted") == "--allow-read");
  CHECK(flags("resource.wallClock", "exceeded 20ms") == "--timeout");
  CHECK(flags("resource.bytes", "exceeds 5 bytes (resources.maxReadBytes)") == "--max-read-bytes");
  CHECK(flags("network", "method POST is not granted (network.methods)") == "--allow-methods");
  CHECK(flags("network", "Network https://a.example is not granted") ==
        "--allow-net or --allow-methods or --allow-private-addresses");
  CHECK(flags("tool", "not granted") == "");
}

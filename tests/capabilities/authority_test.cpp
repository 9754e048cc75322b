#include "capabilities/authority.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <limits>

#include "tests/capabilities/fixture.h"

namespace cordon {
namespace {

using test::TempDirectory;

// Validates and expects an error about `field`, whose message holds `words`.
void require_invalid(const AISandboxOptions& options, const std::string& field,
                     const std::string& words = "") {
  try {
    Authority::validate(options);
  } catch (const InvalidOption& error) {
    CHECK(error.field() == field);
    CHECK_THAT(error.what(), Catch::StartsWith(field + ": ") && Catch::Contains(words));
    return;
  }
  FAIL("accepted, though " << field << " is invalid");
}

template <class Change>
AISandboxOptions changed(Change change) {
  AISandboxOptions options;
  change(options);
  return options;
}

TEST_CASE("without grants there is no authority but default limits") {
  const Authority authority = Authority::validate({});
  CHECK(authority.read_roots().empty());
  CHECK(authority.write_roots().empty());
  CHECK(authority.network() == nullptr);
  CHECK(authority.subprocess() == nullptr);
  CHECK(authority.environment().empty());
  CHECK(authority.secrets().empty());
  CHECK(authority.resources().max_operations == 100);
}

TEST_CASE("roots must be absolute and name existing directories or files") {
  const TempDirectory tree;
  tree.file("file", "x");
  REQUIRE(::mkfifo(tree.path("pipe").c_str(), 0600) == 0);
  const auto with_read = [&](std::string root) {
    return changed([&](auto& o) { o.filesystem.emplace().read = {"/", std::move(root)}; });
  };
  const auto with_write = [&](std::string root) {
    return changed([&](auto& o) { o.filesystem.emplace().write = {std::move(root)}; });
  };
  CHECK(Authority::validate(with_read(tree.path("file"))).read_roots().all().size() == 2);
  require_invalid(with_read("in"), "filesystem.read[1]", "absolute");
  require_invalid(with_read(""), "filesystem.read[1]", "absolute");
  require_invalid(with_read("~/x"), "filesystem.read[1]", "absolute");
  require_invalid(with_read(tree.path("missing")), "filesystem.read[1]", "No such file");
  require_invalid(with_read(tree.path("file/x")), "filesystem.read[1]", "Not a directory");
  require_invalid(with_read(tree.path("pipe")), "filesystem.read[1]", "regular file");
  require_invalid(with_read(tree.path("file") + std::string("\0x", 2)), "filesystem.read[1]",
                  "NUL");
  require_invalid(with_read(tree.path("\xff")), "filesystem.read[1]", "UTF-8");
  require_invalid(with_write("/dev/null"), "filesystem.write[0]", "regular file");
  require_invalid(with_write(""), "filesystem.write[0]");
}

TEST_CASE("roots are kept by their canonical path") {
  const TempDirectory tree;
  tree.directory("real");
  tree.link("link", "real");
  const Authority authority = test::reading({tree.path("link/../link/.")});
  CHECK(authority.read_roots().all().front().canonical() == tree.path("real"));
}

TEST_CASE("origins and methods are checked") {
  const auto with_origin = [](std::string origin) {
    return changed([&](auto& o) {
      o.network.emplace().origins = {"http://a.com", std::move(origin)};
    });
  };
  const auto with_method = [](std::string method) {
    return changed([&](auto& o) { o.network.emplace().methods = {std::move(method)}; });
  };
  const Authority authority = Authority::validate(with_origin("HTTPS://B.com:443"));
  REQUIRE(authority.network() != nullptr);
  CHECK(authority.network()->grants_origin(*parse_origin("https://b.com")));
  CHECK_FALSE(authority.network()->grants_origin(*parse_origin("http://b.com")));
  require_invalid(with_origin("*"), "network.origins[1]", "wildcard");
  require_invalid(with_origin("http://a.com/x"), "network.origins[1]", "path");
  require_invalid(with_origin("http://u:hunter2@a.com"), "network.origins[1]", "user name");
  CHECK(Authority::validate(with_method("post")).network()->grants_method("POST"));
  for (const char* method : {"", "GET ", "CONNECT", "trace", "G/T"})
    require_invalid(with_method(method), "network.methods[0]");
}

TEST_CASE("environment, secrets and modules are text under any name") {
  const auto authority = Authority::validate(changed([](auto& o) {
    o.environment = {{"", "x"}, {"__proto__", ""}, {"a.b\n", "y"}};
    o.secrets = {{"TOKEN", "\u20ac\u20ac\u20ac\u20ac"}};
    o.modules = {{"my-lib", "export default 1"}};
  }));
  CHECK(authority.environment().size() == 3);
  CHECK(authority.modules().at("my-lib") == "export default 1");
  require_invalid(changed([](auto& o) {
                    o.environment = {{"A", "\xff"}};
                  }),
                  "environment.A", "UTF-8");
  require_invalid(changed([](auto& o) {
                    o.secrets = {{"T", "\xff\xff\xff\xff"}};
                  }),
                  "secrets.T", "UTF-8");
  require_invalid(changed([](auto& o) {
                    o.secrets = {{"TOKEN", "abc"}};
                  }),
                  "secrets.TOKEN", "4 characters");
  require_invalid(changed([](auto& o) {
                    o.secrets = {{"TOKEN", "\u20ac\u20ac\u20ac"}};
                  }),
                  "secrets.TOKEN");
  require_invalid(changed([](auto& o) {
                    o.modules = {{"fino:x", ""}};
                  }),
                  "modules.fino:x", "reserved");
  require_invalid(changed([](auto& o) { o.modules = {{"", ""}}; }), "modules.\"\"", "empty");
}

TEST_CASE("limits are whole numbers from 1 to 2^53 - 1") {
  constexpr std::uint64_t kMost = 9007199254740991;
  const auto with_limit = [](auto member, std::uint64_t value) {
    return changed([&](auto& o) { o.resources.*member = value; });
  };
  const std::pair<std::uint64_t SandboxResourceGrant::*, const char*> fields[] = {
      {&SandboxResourceGrant::max_operations, "maxOperations"},
      {&SandboxResourceGrant::max_read_bytes, "maxReadBytes"},
      {&SandboxResourceGrant::max_write_bytes, "maxWriteBytes"},
      {&SandboxResourceGrant::max_network_bytes, "maxNetworkBytes"},
      {&SandboxResourceGrant::max_process_output_bytes, "maxProcessOutputBytes"},
      {&SandboxResourceGrant::wall_clock_ms, "wallClockMs"},
      {&SandboxResourceGrant::max_memory_bytes, "maxMemoryBytes"},
      {&SandboxResourceGrant::max_console_bytes, "maxConsoleBytes"},
      {&SandboxResourceGrant::max_result_bytes, "maxResultBytes"},
      {&SandboxResourceGrant::max_source_bytes, "maxSourceBytes"},
      {&SandboxResourceGrant::max_concurrent_operations, "maxConcurrentOperations"}};
  for (const auto& [member, name] : fields) {
    const std::string field = std::string("resources.") + name;
    CHECK_NOTHROW(Authority::validate(with_limit(member, 1)));
    CHECK_NOTHROW(Authority::validate(with_limit(member, kMost)));
    require_invalid(with_limit(member, 0), field, "from 1 to 9007199254740991");
    require_invalid(with_limit(member, kMost + 1), field);
  }
  require_invalid(changed([](auto& o) { o.resources.max_cpu_ms = 0; }), "resources.maxCpuMs");
  CHECK_NOTHROW(Authority::validate(changed([](auto& o) { o.resources.max_cpu_ms = 1; })));
}

AISandboxOptions with_command(std::string command, std::vector<std::string> write_roots = {}) {
  AISandboxOptions options;
  options.subprocess.emplace().commands = {"/bin/sh", std::move(command)};
  options.filesystem.emplace().write = std::move(write_roots);
  return options;
}

TEST_CASE("commands must be absolute, existing, executable files that nobody can replace") {
  const TempDirectory tree;
  tree.file("w/tool", "#!/bin/sh\n");
  tree.file("plain", "x");
  tree.link("w/link", "/bin/sh");
  tree.link("alias", "w");
  tree.link("out_link", tree.path("w/tool"));
  REQUIRE(::chmod(tree.path("w/tool").c_str(), 0755) == 0);

  const Authority authority = Authority::validate(with_command(tree.path("out_link")));
  const GrantedCommand* command = authority.subprocess()->find(tree.path("out_link"));
  REQUIRE(command != nullptr);
  CHECK(command->canonical == tree.path("w/tool"));
  CHECK(authority.subprocess()->find(tree.path("w/tool")) == nullptr);

  const std::string field = "subprocess.commands[1]";
  require_invalid(with_command("sh"), field, "absolute");
  require_invalid(with_command(""), field, "absolute");
  require_invalid(with_command("/bin/no-such-command"), field, "No such file");
  require_invalid(with_command("/bin"), field, "regular file");
  require_invalid(with_command(tree.path("plain")), field, "executable");
  for (const char* path : {"w/tool", "w/link", "alias/tool", "alias/link", "out_link"})
    require_invalid(with_command(tree.path(path), {tree.path("w")}), field, "written");
  require_invalid(with_command(tree.path("w/tool"), {tree.path("w/tool")}), field, "written");
  require_invalid(with_command("/bin/sh", {"/"}), "subprocess.commands[0]", "written");
  CHECK_NOTHROW(Authority::validate(with_command("/bin/sh", {tree.path("w")})));
}

TEST_CASE("a script's interpreter must be one that nobody can replace") {
  const TempDirectory tree;
  if (tree.path("").find(' ') != std::string::npos) {
    WARN("skipped: the name of an interpreter ends at a space, and TMPDIR holds one");
    return;
  }
  tree.file("w/tool", "#!/bin/sh\n");
  tree.link("w/link", "/bin/sh");
  tree.file("direct", "#!" + tree.path("w/tool") + "\n");
  tree.file("linked", "#!" + tree.path("w/link") + "\n");
  tree.file("found", "#!/usr/bin/env tool\n");
  for (const char* script : {"w/tool", "direct", "linked", "found"})
    REQUIRE(::chmod(tree.path(script).c_str(), 0755) == 0);
  for (const char* script : {"direct", "linked", "found"}) {
    AISandboxOptions options = with_command(tree.path(script), {tree.path("w")});
    options.subprocess->environment["PATH"] = tree.path("w");
    require_invalid(options, "subprocess.commands[1]", "is run by");
    options.filesystem.reset();
    CHECK_NOTHROW(Authority::validate(options));
  }
}

TEST_CASE("the subprocess grant's other fields are checked") {
  const TempDirectory tree;
  tree.file("w/tool", "#!/bin/sh\n");
  REQUIRE(::chmod(tree.path("w/tool").c_str(), 0755) == 0);
  const auto with = [&](auto change) {
    return changed([&](auto& o) { change(o.subprocess.emplace()); });
  };
  using Grant = SandboxSubprocessGrant;
  require_invalid(with([](Grant& g) { g.timeout_ms = 0; }), "subprocess.timeoutMs");
  require_invalid(with([](Grant& g) {
                    g.environment = {{"A=B", "x"}};
                  }),
                  "subprocess.environment.A=B");
  require_invalid(with([](Grant& g) {
                    g.environment = {{"", "x"}};
                  }),
                  "subprocess.environment.\"\"");
  require_invalid(with([](Grant& g) {
                    g.environment = {{"A", std::string(1, '\0')}};
                  }),
                  "subprocess.environment.A", "NUL");
  for (const std::uint64_t pids : {0, 4'194'305}) {
    require_invalid(with([&](Grant& g) { g.sandbox.resources.pids = pids; }),
                    "subprocess.sandbox.resources.pids", "from 1 to 4194304");
  }
  for (const std::uint64_t bytes : {0, 1, 4096, (1 << 20) - 1}) {
    require_invalid(with([&](Grant& g) { g.sandbox.resources.memory_bytes = bytes; }),
                    "subprocess.sandbox.resources.memoryBytes", "from 1048576 to ");
  }
  CHECK_NOTHROW(Authority::validate(with([](Grant& g) {
    g.sandbox.resources = {.memory_bytes = 1 << 20, .pids = 4'194'304, .cpu = 0.001};
  })));
  for (const double cpu : {0.0, -1.0, 0.00099, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()})
    require_invalid(with([&](Grant& g) { g.sandbox.resources.cpu = cpu; }),
                    "subprocess.sandbox.resources.cpu", "at least 0.001");
  require_invalid(with([](Grant& g) { g.sandbox.filesystem.readonly = {"x"}; }),
                  "subprocess.sandbox.filesystem.readonly[0]", "absolute");
  require_invalid(with([](Grant& g) { g.sandbox.filesystem.writable = {"/no-such"}; }),
                  "subprocess.sandbox.filesystem.writable[0]");
  require_invalid(with([](Grant& g) { g.sandbox.process.allowed_binaries = {"sh"}; }),
                  "subprocess.sandbox.process.allowedBinaries[0]");
  require_invalid(with([](Grant& g) { g.sandbox.syscalls.emplace().names = {"open at"}; }),
                  "subprocess.sandbox.syscalls.names[0]");
  const auto writable_command = [&](Grant& g) {
    g.commands = {tree.path("w/tool")};
    g.sandbox.filesystem.writable = {tree.path("w")};
  };
  require_invalid(with(writable_command), "subprocess.commands[0]", "written");
}

}  // namespace
}  // namespace cordon

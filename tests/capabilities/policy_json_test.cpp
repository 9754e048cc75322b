#include "capabilities/policy_json.h"

#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "messages/unique_fd.h"
#include "tests/capabilities/fixture.h"

namespace cordon {
namespace {

using test::TempDirectory;

void require_invalid(const std::string& text, const std::string& field,
                     const std::string& words = "") {
  INFO(text);
  try {
    policy_from_json(text);
  } catch (const InvalidOption& error) {
    CHECK(error.field() == field);
    CHECK_THAT(error.what(), Catch::StartsWith(field + ": ") && Catch::Contains(words));
    return;
  }
  FAIL("accepted, though " << field << " is invalid");
}

constexpr const char* kFullPolicy = R"({
  "filesystem": {"read": ["/data"], "write": ["/out", "/tmp"]},
  "network": {"origins": ["https://a.com"], "methods": ["GET", "POST"], "allowPrivateAddresses": true},
  "subprocess": {
    "commands": ["/bin/sh"], "environment": {"LANG": "C"}, "timeoutMs": 500,
    "sandbox": {
      "mode": "bestEffort",
      "resources": {"memoryBytes": 2000000, "pids": 3, "cpu": 0.5},
      "filesystem": {"readonly": ["/r"], "writable": ["/w"]},
      "network": {"outbound": true, "inbound": false},
      "process": {"allowFork": false, "allowExec": false, "allowedBinaries": ["/bin/cat"]},
      "syscalls": {"mode": "allowlist", "names": ["read", "write"]}}},
  "environment": {"MODE": "analysis", "": "odd"},
  "secrets": {"TOKEN": "tok-12345"},
  "modules": {"my-lib": "export default 1"},
  "resources": {"maxOperations": 5, "maxReadBytes": 1, "maxWriteBytes": 2, "maxNetworkBytes": 3,
    "maxProcessOutputBytes": 4, "wallClockMs": 9007199254740991, "maxMemoryBytes": 6, "maxCpuMs": 7,
    "maxConsoleBytes": 8, "maxResultBytes": 9, "maxSourceBytes": 10, "maxConcurrentOperations": 11,
    "maxToolBytes": 12},
  "compilerOptions": {"experimentalDecorators": true}
})";

TEST_CASE("every field is read") {
  const AISandboxOptions options = policy_from_json(kFullPolicy);
  CHECK(options.filesystem->read == std::vector<std::string>{"/data"});
  CHECK(options.filesystem->write == std::vector<std::string>{"/out", "/tmp"});
  CHECK(options.network->methods == std::vector<std::string>{"GET", "POST"});
  CHECK(options.network->allow_private_addresses);
  CHECK(options.subprocess->environment.at("LANG") == "C");
  CHECK(options.subprocess->timeout_ms == 500);
  const SandboxProcessPolicy& sandbox = options.subprocess->sandbox;
  CHECK(sandbox.mode == SandboxProcessPolicy::Mode::kBestEffort);
  CHECK(sandbox.resources.memory_bytes == 2'000'000U);
  CHECK(sandbox.resources.pids == 3U);
  CHECK(sandbox.resources.cpu == 0.5);
  CHECK(sandbox.filesystem.readonly == std::vector<std::string>{"/r"});
  CHECK(sandbox.filesystem.writable == std::vector<std::string>{"/w"});
  CHECK(sandbox.network.outbound);
  CHECK_FALSE(sandbox.network.inbound);
  CHECK_FALSE(sandbox.process.allow_fork);
  CHECK_FALSE(sandbox.process.allow_exec);
  CHECK(sandbox.process.allowed_binaries == std::vector<std::string>{"/bin/cat"});
  CHECK(sandbox.syscalls->mode == SandboxProcessPolicy::Syscalls::Mode::kAllowlist);
  CHECK(sandbox.syscalls->names == std::vector<std::string>{"read", "write"});
  CHECK(options.environment.at("") == "odd");
  CHECK(options.secrets.at("TOKEN") == "tok-12345");
  CHECK(options.modules.at("my-lib") == "export default 1");
  CHECK(options.resources.max_operations == 5);
  CHECK(options.resources.max_read_bytes == 1);
  CHECK(options.resources.max_write_bytes == 2);
  CHECK(options.resources.max_network_bytes == 3);
  CHECK(options.resources.max_process_output_bytes == 4);
  CHECK(options.resources.wall_clock_ms == 9007199254740991);
  CHECK(options.resources.max_memory_bytes == 6);
  CHECK(options.resources.max_cpu_ms == 7U);
  CHECK(options.resources.max_console_bytes == 8);
  CHECK(options.resources.max_result_bytes == 9);
  CHECK(options.resources.max_source_bytes == 10);
  CHECK(options.resources.max_concurrent_operations == 11);
  CHECK(options.experimental_decorators);
}

TEST_CASE("what is omitted is denied or has its default") {
  const AISandboxOptions options = policy_from_json("{\"subprocess\":{\"sandbox\":{}}}");
  CHECK_FALSE(options.filesystem.has_value());
  CHECK_FALSE(options.network.has_value());
  CHECK(options.subprocess->timeout_ms == 30'000);
  CHECK(options.subprocess->sandbox.mode == SandboxProcessPolicy::Mode::kStrict);
  CHECK(options.subprocess->sandbox.process.allow_fork);
  CHECK_FALSE(options.subprocess->sandbox.network.outbound);
  CHECK_FALSE(options.subprocess->sandbox.syscalls.has_value());
  CHECK(options.resources.max_operations == 100);
  CHECK_FALSE(options.resources.max_cpu_ms.has_value());
}

TEST_CASE("unknown fields are refused by name, and the known ones listed") {
  require_invalid(R"({"filesytem": {}})", "filesytem", "known are compilerOptions, environment");
  require_invalid(R"({"filesystem": {"reed": []}})", "filesystem.reed", "known are read, write");
  require_invalid(R"({"resources": {"max_operations": 1}})", "resources.max_operations");
  require_invalid(R"({"subprocess": {"sandbox": {"process": {"fork": true}}}})",
                  "subprocess.sandbox.process.fork");
  require_invalid(R"({"compilerOptions": {"target": "es5"}})", "compilerOptions.target");
  require_invalid(R"({"a\nb": 1})", "a\\u{a}b");
}

TEST_CASE("values of the wrong kind are refused with field, kind and remedy") {
  require_invalid("[]", "policy", "must be an object, not an array");
  require_invalid("null", "policy");
  require_invalid(R"({"filesystem": null})", "filesystem", "must be an object, not null");
  require_invalid(R"({"filesystem": {"read": "/data"}})", "filesystem.read",
                  "must be an array of strings, not a string");
  require_invalid(R"({"filesystem": {"read": ["/a", 1]}})", "filesystem.read[1]",
                  "must be a string, not the number 1");
  require_invalid(R"({"network": {"allowPrivateAddresses": "yes"}})",
                  "network.allowPrivateAddresses", "must be true or false, not a string");
  require_invalid(R"({"network": {"allowPrivateAddresses": 1}})", "network.allowPrivateAddresses");
  require_invalid(R"({"environment": {"A": 1}})", "environment.A");
  require_invalid(R"({"environment": ["A"]})", "environment");
  require_invalid(R"({"subprocess": {"sandbox": {"mode": "loose"}}})", "subprocess.sandbox.mode",
                  "must be \"strict\" or \"bestEffort\"");
  require_invalid(R"({"subprocess": {"sandbox": {"mode": 1}}})", "subprocess.sandbox.mode");
  require_invalid(R"({"subprocess": {"sandbox": {"resources": {"cpu": 0}}}})",
                  "subprocess.sandbox.resources.cpu", "at least 0.001");
  require_invalid(R"({"subprocess": {"sandbox": {"resources": {"cpu": "1"}}}})",
                  "subprocess.sandbox.resources.cpu");
  require_invalid(R"({"subprocess": {"sandbox": {"syscalls": {"names": []}}}})",
                  "subprocess.sandbox.syscalls.mode");
}

TEST_CASE("limits of commands are what commands and the kernel can do with") {
  const auto with = [](const std::string& limit) {
    return R"({"subprocess": {"sandbox": {"resources": {)" + limit + "}}}}";
  };
  const auto read = [&](const std::string& limit) {
    return policy_from_json(with(limit)).subprocess->sandbox.resources;
  };
  const std::string field = "subprocess.sandbox.resources.";
  for (const char* bytes : {"0", "1", "4096", "1048575", "9007199254740992"}) {
    require_invalid(with(R"("memoryBytes": )" + std::string(bytes)), field + "memoryBytes",
                    "must be a whole number from 1048576 to 9007199254740991, not ");
  }
  CHECK(read(R"("memoryBytes": 1048576)").memory_bytes == 1048576U);
  for (const char* count : {"0", "4194305", "9007199254740991"}) {
    require_invalid(with(R"("pids": )" + std::string(count)), field + "pids",
                    "must be a whole number from 1 to 4194304, not ");
  }
  CHECK(read(R"("pids": 1)").pids == 1U);
  CHECK(read(R"("pids": 4194304)").pids == 4194304U);
  for (const char* cpus : {"0", "-1", "0.0009999", "1e-9"}) {
    require_invalid(with(R"("cpu": )" + std::string(cpus)), field + "cpu",
                    "must be a number of CPUs, at least 0.001 (left out: no limit), not ");
  }
  CHECK(read(R"("cpu": 0.001)").cpu == 0.001);
}

TEST_CASE("limits are exact: only positive whole numbers up to 2^53 - 1") {
  const auto with_limit = [](const std::string& value) {
    return R"({"resources": {"maxOperations": )" + value + "}}";
  };
  for (const char* value :
       {"0", "-1", "-0", "1.5", "0.0", "9007199254740992", "9007199254740993",
        "18446744073709551615", "18446744073709551616", "-9223372036854775809", "1e30", "-1e3",
        "\"5\"", "null", "true", "[1]", "{}", R"({"$num": "NaN"})", R"({"$num": "Infinity"})"}) {
    require_invalid(with_limit(value), "resources.maxOperations",
                    "must be a whole number from 1 to 9007199254740991, not ");
  }
  require_invalid(with_limit("1e400"), "policy");
  CHECK(policy_from_json(with_limit("1")).resources.max_operations == 1);
  CHECK(policy_from_json(with_limit("9007199254740991")).resources.max_operations ==
        9007199254740991);
  CHECK(policy_from_json(with_limit("1e3")).resources.max_operations == 1000);
  require_invalid(R"({"resources": {"maxCpuMs": 0}})", "resources.maxCpuMs");
  require_invalid(R"({"subprocess": {"timeoutMs": 0}})", "subprocess.timeoutMs");
}

TEST_CASE("repeated keys are refused at every level") {
  require_invalid(R"({"environment": {}, "environment": {"A": "b"}})", "environment", "twice");
  require_invalid(R"({"resources": {"maxOperations": 1, "maxOperations": 2}})", "maxOperations",
                  "twice");
  require_invalid(R"({"secrets": {"T": {"env": "A", "env": "B"}}})", "env", "twice");
  // The same key in two objects is no repetition.
  CHECK_NOTHROW(policy_from_json(R"({"environment": {"A": ""}, "modules": {"A": ""}})"));
}

TEST_CASE("text that is not JSON is refused by position, without quoting it") {
  const auto message = [](const std::string& text) -> std::string {
    try {
      policy_from_json(text);
    } catch (const InvalidOption& error) {
      CHECK(error.field() == "policy");
      return error.what();
    }
    return "accepted";
  };
  CHECK(message("{\n  \"secrets\": {\"T\": \"tok-s3cret\" x}}") ==
        "policy: is not valid JSON at line 2, column 33");
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("{\"s\": \"tok-s3cret"),
        std::string("tok-s3cret"), std::string("{} tok-s3cret"),
        std::string("{\"s\": \"tok-s3cret\xff\"}"), std::string("{\"s\": \"tok-s3cret\\ud800\"}"),
        std::string("{} // tok-s3cret"), std::string("{\"a\": tok-s3cret}"),
        std::string("{\"a\": [1,]}"), std::string("{\"a\": NaN}")})
    CHECK_THAT(message(text), Catch::StartsWith("policy: ") && !Catch::Contains("s3cret"));
}

TEST_CASE("depth and size are bounded") {
  const std::string deep(100'000, '[');
  require_invalid(deep, "policy", "nested too deeply");
  require_invalid(R"({"environment": )" + deep, "policy", "nested too deeply");
  require_invalid(std::string(kMaxPolicyBytes + 1, ' '), "policy", "longer than");
}

TEST_CASE("secrets come from where the policy says") {
  const TempDirectory tree;
  tree.file("token", "from-file\n");
  tree.file("two", "from-file\n\n");
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const UniqueFd from(ends[0]);
  UniqueFd to(ends[1]);
  REQUIRE(::write(to.get(), "from-descriptor\n", 16) == 16);
  to.reset();
  REQUIRE(::setenv("CORDON_TEST_SECRET", "from-environment", 1) == 0);
  const auto options = policy_from_json(
      R"({"secrets": {"A": "literal", "B": {"env": "CORDON_TEST_SECRET"}, "C": {"file": ")" +
      tree.path("token") + R"("}, "D": {"file": ")" + tree.path("two") + R"("}, "E": {"fd": )" +
      std::to_string(from.get()) + "}}}");
  REQUIRE(::unsetenv("CORDON_TEST_SECRET") == 0);
  CHECK(options.secrets == std::map<std::string, std::string>{{"A", "literal"},
                                                              {"B", "from-environment"},
                                                              {"C", "from-file"},
                                                              {"D", "from-file\n"},
                                                              {"E", "from-descriptor"}});
}

TEST_CASE("secret sources that cannot be had are errors, without any value") {
  const TempDirectory tree;
  tree.file("big", std::string((64 << 10) + 1, 's'));
  tree.file("full", std::string(64 << 10, 's'));
  const auto with_source = [](const std::string& source) {
    return R"({"secrets": {"T": )" + source + "}}";
  };
  const auto file = [&](const std::string& name) {
    return R"({"file": ")" + tree.path(name) + "\"}";
  };
  require_invalid(with_source(R"({"env": "CORDON_TEST_UNSET"})"), "secrets.T.env", "not set");
  require_invalid(with_source(R"({"env": ""})"), "secrets.T.env");
  require_invalid(with_source(file("missing")), "secrets.T.file", "No such file");
  require_invalid(with_source(file("")), "secrets.T.file", "directory");
  require_invalid(with_source(file("big")), "secrets.T.file", "65536");
  CHECK(policy_from_json(with_source(file("full"))).secrets.at("T").size() == 64 << 10);
  require_invalid(with_source(R"({"file": "/dev/zero"})"), "secrets.T.file", "65536");
  require_invalid(with_source(R"({"fd": 999999})"), "secrets.T.fd", "open descriptor");
  require_invalid(with_source(R"({"fd": -1})"), "secrets.T.fd", "whole number");
  require_invalid(with_source(R"({"fd": "3"})"), "secrets.T.fd");
  require_invalid(with_source(R"({"vault": "x"})"), "secrets.T.vault");
  require_invalid(with_source("{}"), "secrets.T");
  require_invalid(with_source(R"({"env": "A", "file": "b"})"), "secrets.T");
  require_invalid(with_source("1"), "secrets.T");
}

TEST_CASE("printed options read back as the same, with secrets masked on demand") {
  const AISandboxOptions options = policy_from_json(kFullPolicy);
  const std::string shown = options_to_json(options, SecretMask::kShown);
  CHECK(options_to_json(policy_from_json(shown), SecretMask::kShown) == shown);
  const std::string masked = options_to_json(options, SecretMask::kMasked);
  CHECK_THAT(masked, Catch::Contains("\"TOKEN\": \"***\"") && !Catch::Contains("tok-12345"));
  // Apart from that they are the same, and every field of the policy is in both.
  CHECK(nlohmann::json::parse(shown) == nlohmann::json::parse(kFullPolicy));
  const std::string defaults = options_to_json({}, SecretMask::kMasked);
  CHECK(options_to_json(policy_from_json(defaults), SecretMask::kMasked) == defaults);
}

TEST_CASE("no text crashes the policy reader") {
  std::mt19937 random(13);
  const std::string policy = kFullPolicy;
  for (int round = 0; round < 3000; ++round) {
    std::string text = policy;
    for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = static_cast<char>(random() % 256);
      } else {
        text.erase(at, random() % 20);
      }
    }
    try {
      policy_from_json(text);
    } catch (const InvalidOption& error) {
      REQUIRE(!error.field().empty());
    }
  }
}

}  // namespace
}  // namespace cordon

// Outcomes as exit codes, JSON and sentences.

#include "cli/report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/exit_codes.h"

using namespace cordon;

namespace {

Outcome failed(Status status, OutcomeError error) {
  Outcome outcome;
  outcome.status = status;
  outcome.error = std::move(error);
  return outcome;
}

}  // namespace

TEST_CASE("Every status has its exit code") {
  CHECK(exit_code(Status::kOk) == 0);
  CHECK(exit_code(Status::kError) == 1);
  CHECK(exit_code(Status::kCompileError) == 1);
  CHECK(exit_code(Status::kDenied) == 4);
  CHECK(exit_code(Status::kTimeout) == 124);
  CHECK(exit_code(Status::kCpuLimit) == 124);
  CHECK(exit_code(Status::kOutOfMemory) == 137);
  CHECK(exit_code(Status::kOutputLimit) == 1);
  CHECK(exit_code(Status::kCrashed) == 139);
  CHECK(exit_code(Status::kTerminated) == 130);
  CHECK(exit_code(Status::kUnavailable) == 3);
  CHECK(exit_code(Status::kAuditFailed) == 3);
}

TEST_CASE("A good outcome as JSON keeps the value's text") {
  Outcome outcome;
  outcome.status = Status::kOk;
  outcome.result = Value::from_json(R"({"n":1.10,"big":12345678901234567890,"s":"\ud800"})");
  outcome.console = "hello\n";
  outcome.usage.wall_ms = 1.5;
  outcome.usage.operations = 2;
  outcome.sandbox = "id";
  CHECK(outcome_json(outcome, {R"({"seq":1})", R"({"seq":2})"}) ==
        R"({"status":"ok","value":{"n":1.10,"big":12345678901234567890,"s":"\ud800"},)"
        R"("console":"hello\n","consoleTruncated":false,)"
        R"("usage":{"wallMs":1.5,"queueMs":0.0,"cpuMs":0.0,"peakMemoryBytes":0,"operations":2,)"
        R"("bytesIn":0,"bytesOut":0},"audit":[{"seq":1},{"seq":2}],"sandbox":"id"})");
}

TEST_CASE("A bad outcome as JSON has the error and the denial") {
  Outcome outcome = failed(Status::kDenied, {"SandboxDeniedError", "no", "main.ts:1:2", 0, 0});
  outcome.denial = OutcomeDenial{"network", "no", "https://a.example"};
  auto json = nlohmann::json::parse(outcome_json(outcome, {}));
  CHECK(json["status"] == "denied");
  CHECK(json["error"] ==
        nlohmann::json(
            {{"name", "SandboxDeniedError"}, {"message", "no"}, {"stack", "main.ts:1:2"}}));
  CHECK(json["denial"] ==
        nlohmann::json(
            {{"capability", "network"}, {"message", "no"}, {"target", "https://a.example"}}));
  CHECK(!json.contains("value"));
  CHECK(json["audit"].empty());

  outcome = failed(Status::kCompileError, {"CompileError", "bad", "", 3, 5});
  json = nlohmann::json::parse(outcome_json(outcome, {}));
  CHECK(json["error"]["line"] == 3);
  CHECK(json["error"]["column"] == 5);
  CHECK(!json.contains("denial"));

  outcome = failed(Status::kCrashed, {"SandboxError", "died", "", 0, 0});
  outcome.signal = 11;
  CHECK(nlohmann::json::parse(outcome_json(outcome, {}))["signal"] == 11);
}

TEST_CASE("Failures are told in words, with the flag that would change them") {
  Outcome good;
  good.status = Status::kOk;
  CHECK(describe_failure(good, "main.ts").empty());
  CHECK(describe_failure(failed(Status::kCompileError, {"CompileError", "Unexpected x", "", 3, 5}),
                         "main.ts") == "main.ts:3:5: Unexpected x\n");
  CHECK(describe_failure(
            failed(Status::kError, {"TypeError", "bad", "f@main.ts:1:2\ng@main.ts:3:4\n", 0, 0}),
            "main.ts") == "Uncaught TypeError: bad\n    f@main.ts:1:2\n    g@main.ts:3:4\n");

  CHECK(describe_failure(failed(Status::kError, {"TypeError", "bad",
                                                 "TypeError: bad\n    at f (main.ts:1:2)", 0, 0}),
                         "main.ts") == "Uncaught TypeError: bad\n    at f (main.ts:1:2)\n");

  Outcome outcome = failed(Status::kDenied, {"SandboxDeniedError", "not granted", "", 0, 0});
  outcome.denial = OutcomeDenial{"filesystem.read", "not granted", "/etc/passwd"};
  CHECK(describe_failure(outcome, "main.ts") ==
        "Uncaught SandboxDeniedError: not granted\ncordon: to change this, see --allow-read\n");

  outcome.denial->message = "not granted: add it (--allow-read=/etc/passwd)";
  CHECK(describe_failure(outcome, "main.ts") == "Uncaught SandboxDeniedError: not granted\n");

  outcome = failed(Status::kTimeout, {"SandboxDeniedError", "exceeded 20ms", "", 0, 0});
  outcome.denial = OutcomeDenial{"resource.wallClock", "exceeded 20ms", std::nullopt};
  CHECK(describe_failure(outcome, "main.ts") ==
        "cordon: timeout: exceeded 20ms\ncordon: to change this, see --timeout\n");

  outcome = failed(Status::kDenied, {"SandboxDeniedError", "exceeded 20ms", "", 0, 0});
  outcome.denial = OutcomeDenial{"resource.wallClock", "exceeded 20ms (subprocess.timeoutMs)", {}};
  CHECK(describe_failure(outcome, "main.ts") == "Uncaught SandboxDeniedError: exceeded 20ms\n");
}

TEST_CASE("A guest's error cannot pose as the command's own message") {
  const std::string text = describe_failure(
      failed(Status::kError,
             {"E\nrror", "x\ncordon: all is well\x1b[2J", "\ncordon: nor here\x1b[2J", 0, 0}),
      "main.ts");
  CHECK(text ==
        "Uncaught E\\nrror: x\n    cordon: all is well\\u{1b}[2J\n"
        "    cordon: nor here\\u{1b}[2J\n");
}

TEST_CASE("Console text keeps its lines and loses its controls") {
  CHECK(console_line("a\nb\x1b]0;title\x07") == "a\nb\\u{1b}]0;title\\u{7}\n");
}

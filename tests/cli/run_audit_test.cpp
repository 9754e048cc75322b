// The audit trail of a real run, and what `cordon audit` says about it.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/support/scene.h"

using cordon::test::Command;
using cordon::test::contains;
using cordon::test::Finished;
using cordon::test::Invocation;
using cordon::test::run_cordon;
using cordon::test::Scene;
using nlohmann::json;

namespace {

// Uses what it is granted, asks for what it may not be, and catches that.
const char* const kProgram = R"(
import { environment, readText, secret, writeText } from 'fino:ai/sandbox/capabilities';
export default async (directory: string) => {
  const read = await readText(directory + '/main.ts');
  await writeText(directory + '/out.txt', 'written');
  await environment('MODE');
  await secret('TOKEN').catch(() => {});
  await readText(directory + '/other.txt').catch(() => {});
  return read.length > 0;
};)";

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  return lines;
}

class AuditScene : public Scene {
 public:
  AuditScene() : Scene(kProgram) { directory().write("other.txt", "other"); }

  Finished run_audited(std::vector<std::string> flags = {"--audit=audit.log"}) const {
    flags.insert(flags.end(), {"--allow-read=main.ts", "--allow-write=.", "--allow-env=MODE=x"});
    return run(flags, {directory().path().string()});
  }
  Finished audit(const std::string& command, std::vector<std::string> flags = {},
                 const std::string& file = "audit.log") const {
    flags.insert(flags.begin(), {"audit", command, file});
    return run_cordon(
        Invocation{.arguments = std::move(flags), .working_directory = directory().path()});
  }
  std::string text(const std::string& file) const {
    std::ifstream in(directory().path() / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void shell(const std::string& command) const {
    REQUIRE(std::system(("cd '" + directory().path().string() + "' && " + command).c_str()) == 0);
  }
};

std::string head_of(const Finished& run) {
  const auto at = run.err.find("audit head: ");
  REQUIRE(at != std::string::npos);
  return run.err.substr(at + 12, 64);
}

TEST_CASE("The flag --audit keeps the trail and prints its head") {
  REQUIRE_SANDBOX();
  const AuditScene scene;
  CHECK(scene.run_audited().code == 0);
  const std::string first_head = head_of(scene.run_audited());
  const Finished run = scene.run_audited();
  CHECK(run.code == 0);
  const auto events = lines_of(scene.text("audit.log"));
  REQUIRE(events.size() == 21);
  CHECK(events[0]["operation"] == "genesis");
  CHECK(contains(events[0]["reason"], "policy=sha256:"));
  CHECK(!contains(events[0].dump(), "MODE"));
  CHECK(events[6]["capability"] == "execute");
  CHECK(events[7]["operation"] == "resume");
  CHECK(events[7]["prev"] == events[6]["hash"]);
  const std::string head = head_of(run);
  CHECK(head == events.back()["hash"]);

  const json report = json::parse(scene.audit("verify").out);
  CHECK(report["good"] == true);
  CHECK(report["events"] == 21);
  CHECK(report["head"] == head);
  CHECK(scene.audit("verify", {"--expect-head=" + first_head}).code == 0);
  const Finished unknown = scene.audit("verify", {"--expect-head=" + std::string(64, 'a')});
  CHECK(unknown.code == 1);
  CHECK(json::parse(unknown.out)["problem"]["kind"] == "head-missing");
  CHECK(scene.audit("verify", {"--expect-head=abc"}).code == 2);

  const auto file = scene.directory().path() / "audit.log";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  CHECK(scene.audit("verify").code == 1);
  std::filesystem::remove(file);
  CHECK(scene.audit("verify").code == 2);
}

TEST_CASE("Several sinks hold one trail, in files that follow each other, signed") {
  REQUIRE_SANDBOX();
  const AuditScene scene;
  scene.shell(
      "openssl genpkey -algorithm ed25519 -out key.pem && openssl pkey -in key.pem -pubout -out "
      "public.pem && openssl genpkey -algorithm ed25519 -out other.pem && openssl pkey -in "
      "other.pem -pubout -out other-public.pem");
  const std::vector<std::string> flags = {"--audit=audit.log",        "--audit=sqlite:audit.db",
                                          "--audit=stdout",           "--audit-rotate-size=2K",
                                          "--audit-sign-key=key.pem", "--audit-durability=group",
                                          "--audit-rotate-age=24h"};
  const Finished run = scene.run_audited(flags);
  CHECK(run.code == 0);
  CHECK(scene.run_audited(flags).code == 0);
  CHECK(std::filesystem::exists(scene.directory().path() / "audit.log.000001"));

  const json files = json::parse(
      scene.audit("verify", {"--public-key=public.pem", "--expect-head=" + head_of(run)}).out);
  CHECK(files["good"] == true);
  CHECK(files["files"].get<int>() >= 2);
  CHECK(files["checkpoints"] == 2);
  CHECK(files["signedThrough"] == files["events"].get<int>() - 1);
  const json rows = json::parse(scene.audit("verify", {"--public-key=public.pem"}, "audit.db").out);
  CHECK(rows["good"] == true);
  CHECK(rows["head"] == files["head"]);
  CHECK(json::parse(
            scene.audit("verify", {"--public-key=other-public.pem"}).out)["problem"]["kind"] ==
        "signature");
  // What stdout got is the beginning of the same trail, and then the result.
  auto printed = lines_of(run.out);
  REQUIRE(printed.size() > 3);
  CHECK(printed[0]["operation"] == "genesis");
  CHECK(std::find(printed.begin(), printed.end(), json(true)) != printed.end());
  CHECK(scene.text("audit.log.000001").find(printed[1]["hash"].get<std::string>()) !=
        std::string::npos);
  CHECK(scene.audit("verify", {"--public-key=key.pem"}).code == 2);
}

TEST_CASE("A trail answers questions") {
  REQUIRE_SANDBOX();
  const AuditScene scene;
  REQUIRE(scene.run_audited({"--audit=audit.log", "--audit=sqlite:audit.db"}).code == 0);
  const std::string file = GENERATE("audit.log", "audit.db");
  CAPTURE(file);
  const auto query = [&](std::vector<std::string> flags) {
    flags.push_back("--json");
    const Finished run = scene.audit("query", std::move(flags), file);
    CHECK(run.code == 0);
    std::string found;
    for (const json& event : lines_of(run.out)) {
      found +=
          event["capability"].get<std::string>() + " " + event["outcome"].get<std::string>() + "\n";
    }
    return found;
  };
  const std::string all =
      "filesystem.read used\nfilesystem.write used\nenvironment used\nsecret denied\n"
      "filesystem.read denied\nexecute used\n";
  CHECK(query({}) == all);
  CHECK(query({"--all"}) == "audit used\n" + all);
  CHECK(query({"--outcome=denied"}) == "secret denied\nfilesystem.read denied\n");
  CHECK(query({"--capability=filesystem.*", "--outcome=denied"}) == "filesystem.read denied\n");
  CHECK(query({"--capability=secret", "--capability=execute"}) == "secret denied\nexecute used\n");
  CHECK(query({"--target=*/other.txt"}) == "filesystem.read denied\n");
  CHECK(query({"--since=1h"}) == all);
  CHECK(query({"--until=1h"}).empty());
  CHECK(query({"--limit=2"}) == "filesystem.read used\nfilesystem.write used\n");
  CHECK(query({"--sandbox=nobody"}).empty());
  const std::string id = lines_of(scene.audit("query", {"--json"}, file).out)[0]["sandbox"];
  CHECK(query({"--sandbox=" + id}) == all);

  const Finished shown = scene.audit("show", {"--last=1"}, file);
  CHECK(shown.code == 0);
  CHECK(contains(shown.out, "CAPABILITY"));
  CHECK(contains(shown.out, "execute"));
  CHECK(!contains(shown.out, "secret"));

  const json stats = json::parse(scene.audit("stats", {"--json"}, file).out);
  CHECK(stats["filesystem.read"]["used"] == 1);
  CHECK(stats["filesystem.read"]["denied"] == 1);
  CHECK(stats["execute"]["p50Ms"].get<double>() > 0);
  CHECK(contains(scene.audit("stats", {}, file).out, "filesystem.write"));
}

TEST_CASE("Events are followed as they are written, over the end of a file") {
  REQUIRE_SANDBOX();
  const AuditScene scene;
  REQUIRE(scene.run_audited({"--audit=audit.log", "--audit-rotate-size=1K"}).code == 0);
  // Six events a run: the last that it waits for is of the third run, files later.
  Command follower(
      Invocation{.arguments = {"audit", "query", "audit.log", "--json", "--follow", "--limit=18"},
                 .working_directory = scene.directory().path()});
  REQUIRE(scene.run_audited({"--audit=audit.log", "--audit-rotate-size=1K"}).code == 0);
  REQUIRE(scene.run_audited({"--audit=audit.log", "--audit-rotate-size=1K"}).code == 0);
  const Finished run = follower.finish();
  CHECK(run.code == 0);
  const auto events = lines_of(run.out);
  REQUIRE(events.size() == 18);
  CHECK(lines_of(scene.text("audit.log")).back()["hash"] == events.back()["hash"]);
}

TEST_CASE("Suggested grants allow what was used, and no more") {
  REQUIRE_SANDBOX();
  const AuditScene scene;
  REQUIRE(scene.run_audited().code == 0);
  const std::string directory = scene.directory().path();
  const Finished narrow = scene.audit("suggest-grants");
  CHECK(contains(narrow.err, "fill in those of environment"));
  const json policy = json::parse(narrow.out);
  CHECK(policy["filesystem"]["read"] == json({directory + "/main.ts"}));
  CHECK(policy["filesystem"]["write"] == json({directory + "/out.txt"}));
  CHECK(policy["environment"] == json({{"MODE", ""}}));
  CHECK(!policy.contains("secrets"));
  CHECK(policy["resources"]["maxOperations"] == 5);
  CHECK(policy["resources"]["maxWriteBytes"] == 7);

  const auto replay = [&](const json& grants) {
    scene.directory().write("policy.json", grants.dump());
    const Finished run = scene.run({"--policy=policy.json", "--json"}, {directory});
    std::string outcomes = std::to_string(run.code);
    const json outcome = json::parse(run.out);
    for (const json& event : outcome["audit"]) {
      outcomes += " " + event["outcome"].get<std::string>();
    }
    return outcomes;
  };
  CHECK(replay(policy) == "0 used used used denied denied used");
  json less = policy;
  less["filesystem"].erase("write");
  CHECK(replay(less) == "4 used denied denied");
  less = policy;
  less["resources"]["maxWriteBytes"] = 6;
  CHECK(replay(less) == "4 used denied denied");

  json wide = json::parse(scene.audit("suggest-grants", {"--include-denied"}).out);
  CHECK(wide["filesystem"]["read"] == json({directory + "/main.ts", directory + "/other.txt"}));
  CHECK(wide["secrets"] == json({{"TOKEN", {{"env", "TOKEN"}}}}));
  wide["secrets"]["TOKEN"] = "long enough";
  wide["resources"].erase("maxReadBytes");
  CHECK(replay(wide) == "0 used used used used used used");
}

TEST_CASE(
    "Without a trail that can be written, a run ends as audit_failed, unless told otherwise") {
  REQUIRE_SANDBOX();
  const AuditScene scene;
  const Finished refused = scene.run_audited({"--audit=absent/audit.log", "--json"});
  CHECK(refused.code == 3);
  CHECK(json::parse(refused.out)["status"] == "audit_failed");
  CHECK(contains(refused.err, "absent/audit.log"));
  CHECK_FALSE(std::filesystem::exists(scene.directory().path() / "out.txt"));

  const Finished unaudited = scene.run_audited({"--audit=absent/audit.log", "--audit-best-effort"});
  CHECK(unaudited.code == 0);
  CHECK(contains(unaudited.err, "lacks 6 events"));
  CHECK(std::filesystem::exists(scene.directory().path() / "out.txt"));
}

TEST_CASE("Audit flags that cannot be used are refused") {
  const AuditScene scene;
  const auto refused = [&](std::vector<std::string> flags, const char* word) {
    const Finished run = scene.run(std::move(flags));
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(contains(run.err, word));
  };
  refused({"--audit="}, "--audit");
  refused({"--audit=sqlite:"}, "names no file");
  refused({"--audit=sqlit:a.db"}, "expected FILE, jsonl:FILE, sqlite:FILE or stdout");
  refused({"--audit=a", "--audit=jsonl:a"}, "--audit=jsonl:a: is there twice");
  refused({"--audit=stdout", "--audit=stdout"}, "is there twice");
  refused({"--audit=sqlite:a.db", "--audit-rotate-age=5h"}, "only files follow each other");
  refused({"--audit=a", "--audit-durability=some"}, "none, group or each");
  refused({"--audit=a", "--audit-rotate-size=1X"}, "--audit-rotate-size");
  refused({"--audit=a", "--audit-rotate-age=5"}, "--audit-rotate-age");
  refused({"--audit-best-effort"}, "--audit is needed");
  CHECK(scene.audit("query", {"--outcome=maybe"}).code == 2);
  CHECK(scene.audit("query", {"--since=never"}, "main.ts").code == 2);
  CHECK(scene.audit("query", {}, "main.ts").code == 1);
  const Finished absent = scene.audit("query", {}, "absent.log");
  CHECK(absent.code == 2);
  CHECK(absent.out.empty());
  CHECK(scene.audit("export", {"--format=xml"}, "main.ts").code == 2);
}

}  // namespace

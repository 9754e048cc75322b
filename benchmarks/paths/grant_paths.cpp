// What decides about a call and its capability calls: policy, options, paths and origins.

#include <cordon/options.h>
#include <cordon/policy_digest.h>

#include <array>
#include <memory>

#include "actors/options_codec.h"
#include "benchmarks/paths/path.h"
#include "capabilities/authority.h"
#include "capabilities/network_policy.h"
#include "capabilities/path_walk.h"
#include "capabilities/policy_json.h"
#include "messages/call.capnp.h"
#include "messages/payload.h"

namespace cordon::paths {
namespace {

// Every system has these, and none of them is a link.
constexpr const char* kRoot = "/usr";
constexpr const char* kBeneath = "/usr/bin/env";

constexpr std::string_view kPolicy = R"({
  "filesystem": {"read": ["/usr", "/etc"], "write": []},
  "network": {"origins": ["https://api.example.com", "https://data.example.org:8443",
    "http://127.0.0.1:9000"], "methods": ["GET", "POST"], "allowPrivateAddresses": false},
  "environment": {"STAGE": "test", "REGION": "north", "LEVEL": "3"},
  "resources": {"maxOperations": 500, "wallClockMs": 5000, "maxMemoryBytes": 134217728}
})";

AISandboxOptions options() { return policy_from_json(kPolicy); }

Work parse_policy() {
  expect(options().environment.size() == 3, "the policy lacks a variable");
  return [] { keep(options()); };
}

Work digest_policy() {
  const auto policy = std::make_shared<const AISandboxOptions>(options());
  expect(policy_digest(*policy).starts_with("sha256:"), "the digest has another form");
  return [policy] { keep(policy_digest(*policy)); };
}

// All that a call's options go through before anything is run.
Work plan_call() {
  const auto policy = std::make_shared<const AISandboxOptions>(options());
  const auto plan = [policy] {
    const auto call = Message<wire::Call>::build([&](wire::Call::Builder out) {
      out.setSandbox("0123456789abcdef-1");
      out.setSource("export default (x: number): number => x + 1;");
      write_options(out.initOptions(), *policy);
    });
    return Authority::validate(read_options(call.read()->getOptions()));
  };
  expect(plan().network()->origins.size() == 3, "the authority lacks an origin");
  return [plan] { keep(plan()); };
}

Work match_path() {
  const auto match = [] {
    unsigned beneath = 0;
    for (const std::string_view path :
         {"/srv/data/project", "/srv/data/project/src/main.ts", "/srv/data/projects", "/srv/data",
          "/srv/data/project/a/b/c/d/e/f/g/h.txt", "/etc/passwd"}) {
      std::string_view candidate = path;
      keep(candidate);
      if (is_at_or_beneath(candidate, "/srv/data/project")) ++beneath;
    }
    return beneath;
  };
  expect(match() == 3, "a path is beneath another one, or is not");
  return [match] { keep(match()); };
}

// Valgrind knows no openat2().
Work walk_path() {
  AISandboxOptions granted;
  granted.filesystem.emplace();
  granted.filesystem->read = {kRoot};
  const auto authority = std::make_shared<const Authority>(Authority::validate(granted));
  const auto place = [authority] {
    const Walk walked = walk(kBeneath, authority->read_roots());
    if (walked.end != Walk::End::kResolved) return FileRoots::Placement{};
    return authority->read_roots().place(walked.deepest.get());
  };
  const auto found = place();
  expect(found.fd && found.position == FileRoots::Position::kBeneath, "/usr/bin/env is not there");
  return [place] { keep(place()); };
}

Work decide_request() {
  const auto authority = std::make_shared<const Authority>(Authority::validate(options()));
  const auto headers = std::make_shared<const std::vector<HttpHeader>>(
      std::vector<HttpHeader>{{"accept", "application/json"}, {"x-request", "17"}});
  const auto decide = [authority, headers](std::string_view url) {
    return decide_network(*authority, url, "POST", *headers, 100).has_value();
  };
  constexpr std::string_view kGranted = "https://data.example.org:8443/v1/../v2/items?q=a%20b&n=10";
  expect(decide(kGranted) && !decide("https://data.example.org/v2"), "the decision is wrong");
  return [decide] { keep(decide(kGranted)); };
}

}  // namespace

std::vector<Path> grant_paths() {
  return {
      {"policy/parse", 100, parse_policy},   {"policy/digest", 40, digest_policy},
      {"call/plan", 150, plan_call},         {"path/match", 50'000, match_path},
      {"path/walk", kNotCounted, walk_path}, {"origin/decide", 500, decide_request},
  };
}

}  // namespace cordon::paths

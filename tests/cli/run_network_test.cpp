// The network flags, end to end against a server on this machine.

#include <netdb.h>
#include <unistd.h>

#include <boost/asio/ip/address.hpp>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>

#include "tests/cli/support/scene.h"
#include "tests/http/support/local_server.h"

using namespace cordon::test;
using cordon::testing::LocalServer;
using cordon::testing::Peer;
using nlohmann::json;

namespace {

constexpr const char* kFetch = R"(
import { fetchText } from 'fino:ai/sandbox/capabilities';
export default async (url: string, init?: object) => (await fetchText(url, init)).body;
)";

// Answers every request with its method and target.
void echo(Peer& peer) {
  for (;;) {
    const std::string request = peer.read_request();
    if (request.empty()) return;
    peer.send(cordon::testing::ok(request.substr(0, request.find(" HTTP/"))));
  }
}

// A denial that nobody caught: exit code 4, the sentence for people, and the reason in the audit.
void check_denied(const Scene& scene, std::vector<std::string> flags,
                  const std::vector<std::string>& arguments, const std::string& sentence,
                  const std::string& reason) {
  flags.emplace_back("--json");
  const Finished run = scene.run(flags, arguments);
  INFO(run.err);
  CHECK(run.code == 4);
  CHECK(contains(run.err, "Uncaught SandboxDeniedError: " + sentence + "\n"));
  const json outcome = json::parse(run.out);
  CHECK(outcome["status"] == "denied");
  CHECK(outcome["denial"]["capability"] == "network");
  REQUIRE(outcome["audit"].size() == 2);
  CHECK(outcome["audit"][0]["outcome"] == "denied");
  CHECK(outcome["audit"][0]["reason"] == reason);
}

struct LocalName {
  std::string name;
  std::string address;
};

// This machine's own name, if it resolves to an address that only --allow-private-addresses lets
// it have.
std::optional<LocalName> local_name() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0 || std::string(name) == "localhost") return {};
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(name, nullptr, &hints, &found) != 0) return {};
  char address[NI_MAXHOST] = {};
  ::getnameinfo(found->ai_addr, found->ai_addrlen, address, sizeof address, nullptr, 0,
                NI_NUMERICHOST);
  ::freeaddrinfo(found);
  if (!boost::asio::ip::make_address(address).is_loopback()) return {};
  return LocalName{name, address};
}

}  // namespace

TEST_CASE("The flag --allow-net grants an origin and no other") {
  REQUIRE_SANDBOX();
  const Scene scene(kFetch);
  LocalServer server(echo), other(echo);
  const Finished run = scene.run({"--allow-net=" + server.origin()}, {server.origin() + "/a?b"});
  INFO(run.err);
  CHECK(run.out == "\"GET /a?b\"\n");
  CHECK(run.code == 0);
  CHECK(
      scene.run({"--allow-net=" + server.origin() + "," + other.origin()}, {other.origin() + "/c"})
          .out == "\"GET /c\"\n");
  CHECK(other.connections() == 1);

  const std::string sentence =
      "Network access to " + other.origin() +
      " is not granted: add it to `network.origins` (--allow-net=" + other.origin() + ")";
  const std::string reason = "origin is not in network.origins";
  check_denied(scene, {"--allow-net=" + server.origin()}, {other.origin() + "/c"}, sentence,
               reason);
  check_denied(scene, {}, {other.origin() + "/c"}, sentence, reason);
  CHECK(other.connections() == 1);
}

TEST_CASE("The flag --allow-methods grants methods, GET unless it is given") {
  REQUIRE_SANDBOX();
  const Scene scene(kFetch);
  LocalServer server(echo);
  const std::string net = "--allow-net=" + server.origin();
  const std::vector<std::string> post = {server.origin() + "/", R"({"method":"post","body":"x"})"};
  const std::vector<std::string> get = {server.origin() + "/"};
  CHECK(scene.run({net, "--allow-methods=GET,POST"}, post).out == "\"POST /\"\n");
  CHECK(scene.run({net, "--allow-methods=POST"}, post).out == "\"POST /\"\n");
  CHECK(scene.run({net}, get).out == "\"GET /\"\n");
  CHECK(server.connections() == 3);

  const auto sentence = [&](const std::string& asked, const std::string& method) {
    return "Network method " + asked + " is not granted for " + server.origin() +
           ": add it to `network.methods` (--allow-methods=" + method + ")";
  };
  const std::string reason = "method is not in network.methods";
  check_denied(scene, {net}, post, sentence("post", "POST"), reason);
  check_denied(scene, {net, "--allow-methods=POST"}, get, sentence("GET", "GET"), reason);
  CHECK(server.connections() == 3);
}

TEST_CASE("The flag --allow-private-addresses lets a granted name lead to this machine") {
  REQUIRE_SANDBOX();
  const auto local = local_name();
  if (!local) return say_skipped("this machine's name does not resolve to a loopback address");
  const Scene scene(kFetch);
  LocalServer server(echo, std::nullopt, local->address);
  const std::string origin = server.origin(local->name);
  const std::string net = "--allow-net=" + origin;
  const Finished run = scene.run({net, "--allow-private-addresses"}, {origin + "/"});
  INFO(run.err);
  CHECK(run.out == "\"GET /\"\n");
  CHECK(server.connections() == 1);

  check_denied(scene, {net}, {origin + "/"},
               "Network access to " + origin +
                   " is not granted: its name resolves to a loopback address (set "
                   "`network.allowPrivateAddresses`, --allow-private-addresses)",
               "its name resolves to a loopback address");
  CHECK(server.connections() == 1);
}

TEST_CASE("The flag --max-network-bytes bounds request and response bodies, each") {
  REQUIRE_SANDBOX();
  const Scene scene(kFetch);
  LocalServer server(cordon::testing::always(cordon::testing::ok("12345")));
  const auto run = [&](const std::string& bytes, const std::string& init) {
    return scene.run({"--allow-net=" + server.origin(), "--allow-methods=GET,POST",
                      "--max-network-bytes=" + bytes},
                     {server.origin() + "/", init});
  };
  const std::string post = R"({"method":"POST","body":"123456"})";
  CHECK(run("5", "{}").out == "\"12345\"\n");
  CHECK(run("6", post).out == "\"12345\"\n");
  for (const Finished& denied : {run("4", "{}"), run("4", post)}) {
    INFO(denied.err);
    CHECK(denied.code == 4);
    CHECK(contains(denied.err, "exceeds 4 bytes"));
    CHECK(contains(denied.err, "--max-network-bytes"));
  }
  CHECK(contains(run("5", post).err, "exceeds 5 bytes"));
}

TEST_CASE("The flag --max-concurrent-ops bounds the calls at one time") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(import { fetchText } from 'fino:ai/sandbox/capabilities';
export default async (url: string) =>
  (await Promise.all([fetchText(url), fetchText(url)])).map((response) => response.body);)");
  std::mutex mutex;
  std::condition_variable met;
  unsigned waiting = 0;
  // Answers nobody before two are waiting.
  LocalServer server([&](Peer& peer) {
    if (peer.read_request().empty()) return;
    {
      std::unique_lock lock(mutex);
      ++waiting;
      met.notify_all();
      if (waiting < 2) met.wait_for(lock, std::chrono::seconds(60), [&] { return waiting >= 2; });
    }
    peer.send(cordon::testing::ok("met"));
  });
  const auto run = [&](std::vector<std::string> flags) {
    flags.emplace_back("--allow-net=" + server.origin());
    return scene.run(flags, {server.origin() + "/"});
  };
  CHECK(run({"--max-concurrent-ops=2", "--timeout=50s"}).out == "[\"met\",\"met\"]\n");
  CHECK(waiting == 2);
  waiting = 0;
  const Finished alone = run({"--max-concurrent-ops=1", "--timeout=1s"});
  INFO(alone.err);
  CHECK(alone.code == 124);
  {
    const std::lock_guard lock(mutex);
    CHECK(waiting == 1);
    waiting = 2;
  }
  met.notify_all();
}

// fetchText through the whole system: policy, resolution, TLS, limits, cancellation and audit.

#include <catch2/catch.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "tests/http/support/local_server.h"
#include "tests/system/world.h"

using namespace cordon;
using Catch::Matchers::Contains;
using test::World;
using testing::LocalServer;
using testing::Peer;
using Lines = std::vector<std::string>;

namespace {

// Answers METHOD TARGET to every request, and keeps what was sent.
class EchoServer {
 public:
  EchoServer()
      : server_([this](Peer& peer) {
          for (;;) {
            const std::string request = peer.read_request();
            if (request.empty()) return;
            {
              const std::lock_guard lock(mutex_);
              requests_.push_back(request);
            }
            const std::string body = request.substr(0, request.find(" HTTP/"));
            peer.send("HTTP/1.1 200 OK\r\nX-Kind: echo\r\nContent-Length: " +
                      std::to_string(body.size()) + "\r\n\r\n" + body);
          }
        }) {}
  std::string origin() const { return server_.origin(); }
  unsigned short port() const { return server_.port(); }
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  LocalServer server_;
};

AISandboxOptions with_origin(const std::string& origin) {
  AISandboxOptions options;
  options.network = SandboxNetworkGrant{.origins = {origin}};
  return options;
}

std::string list(const std::string& text) { return nlohmann::json::array({text}).dump(); }

constexpr const char* kFetch = R"ts(
  import { fetchText } from 'fino:ai/sandbox/capabilities';
  export default (url: string) => fetchText(url);
)ts";

}  // namespace

TEST_CASE("fetchText reaches a granted origin, by string or URL, and nothing else") {
  EchoServer server;
  World world;
  const Outcome outcome = world.run(R"ts(
    import { fetchText } from 'fino:ai/sandbox/capabilities';
    export default async (origin: string) => {
      const first = await fetchText(origin + '/a?q=1');
      const second = await fetchText(new URL('/b', origin));
      const refused: string[] = [];
      for (const [url, init] of [['http://127.0.0.1:1/', {}], [origin, { method: 'POST' }],
                                 [origin, { headers: { Host: 'x' } }], ['file:///etc/passwd', {}]] as any) {
        try { await fetchText(url, init); } catch (e: any) { refused.push(e.name + ' ' + e.capability); }
      }
      return { status: first.status, kind: first.headers['x-kind'], bodies: [first.body, second.body], refused };
    };
  )ts",
                                    with_origin(server.origin()), list(server.origin()));
  CHECK(outcome.value().view() == nlohmann::json::parse(R"({
    "status": 200, "kind": "echo", "bodies": ["GET /a?q=1", "GET /b"],
    "refused": ["SandboxDeniedError network", "SandboxDeniedError network",
                "SandboxDeniedError network", "SandboxDeniedError network"]})"));
  CHECK(server.requests().size() == 2);
  const auto lines = world.event_lines();
  REQUIRE(lines.size() == 7);
  CHECK(lines[0] == "network used " + server.origin());
  CHECK(lines[1] == "network used " + server.origin());
  CHECK(lines[2] == "network denied http://127.0.0.1:1");
  CHECK(lines.back() == "execute used");
  CHECK_THAT(world.all_event_text(), !Contains("q=1"));
}

TEST_CASE("fetchText sends a granted method with a secret that no event shows") {
  EchoServer server;
  World world;
  auto options = with_origin(server.origin());
  options.network->methods = {"POST"};
  options.secrets = {{"TOKEN", "tok-5up3r-9d41c7"}};
  const Outcome outcome = world.run(R"ts(
    import { fetchText, secret } from 'fino:ai/sandbox/capabilities';
    export default async (origin: string) => {
      const token = await secret('TOKEN');
      return (await fetchText(origin + '/' + token, { method: 'post', body: 'h\u00e9',
        headers: { Authorization: 'Bearer ' + token } })).status;
    };
  )ts",
                                    options, list(server.origin()));
  CHECK(outcome.value().json() == "200");
  REQUIRE(server.requests().size() == 1);
  CHECK_THAT(server.requests()[0], Contains("Bearer tok-5up3r-9d41c7") && Contains("h\xC3\xA9"));
  CHECK_THAT(world.all_event_text(), !Contains("tok-5up3r-9d41c7"));
}

TEST_CASE("a body over maxNetworkBytes is refused while it streams") {
  LocalServer server([](Peer& peer) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (peer.send("400\r\n" + std::string(0x400, 'x') + "\r\n")) {
    }
  });
  World world;
  auto options = with_origin(server.origin());
  options.resources.max_network_bytes = 100'000;
  const Outcome outcome = world.run(kFetch, options, list(server.origin()));
  CHECK(outcome.status == Status::kDenied);
  CHECK(outcome.denial->capability == "resource.bytes");
  CHECK_THAT(outcome.denial->message, Contains("exceeds 100000 bytes"));
  CHECK(world.event_lines() == Lines{"resource.bytes denied " + server.origin(), "execute denied"});
}

TEST_CASE("a server that never answers is ended by the wall clock, and its connection closed") {
  LocalServer server([](Peer& peer) {
    peer.read_request();
    peer.wait_for_end();
  });
  World world;
  auto options = with_origin(server.origin());
  options.resources.wall_clock_ms = 300;
  const Outcome outcome = world.run(kFetch, options, list(server.origin()));
  CHECK(outcome.status == Status::kTimeout);
  CHECK(world.event_lines() ==
        Lines{"network error " + server.origin(), "resource.wallClock denied", "execute denied"});
}

TEST_CASE("a server that trickles is ended by the wall clock, wherever in its answer it is") {
  const std::string start = GENERATE(as<std::string>(), "H", "HTTP/1.1 200 O",
                                     "HTTP/1.1 200 OK\r\nX-", "HTTP/1.1 200 OK\r\n\r\n",
                                     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;");
  const std::string more = start == "H" ? "" : "a";
  LocalServer server([&](Peer& peer) {
    peer.read_request();
    peer.send(start);
    while (!peer.gone_within(std::chrono::milliseconds(5)) && peer.send(more)) {
    }
  });
  World world;
  AISandboxOptions options = with_origin(server.origin());
  options.resources.wall_clock_ms = 300;
  CHECK(world.run(kFetch, options, list(server.origin() + "/")).status == Status::kTimeout);
  for (int i = 0; i < 4000 && server.ended() == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(server.ended() == 1);
}

TEST_CASE("a request that is open when the program ends is cancelled") {
  LocalServer server([](Peer& peer) {
    peer.read_request();
    peer.wait_for_end();
  });
  World world;
  const Outcome outcome = world.run(R"ts(
    import { fetchText } from 'fino:ai/sandbox/capabilities';
    export default async (url: string) => { void fetchText(url).catch(() => {}); return 'done'; };
  )ts",
                                    with_origin(server.origin()), list(server.origin()));
  CHECK(outcome.value().json() == "\"done\"");
  CHECK(world.event_lines().back() == "execute used");
}

TEST_CASE("a name that resolves to a private address is refused unless that is granted") {
  EchoServer server;
  int lookups = 0;
  World world(
      RuntimeOptions{.resolve_host = [&](const std::string& host) -> std::vector<std::string> {
        ++lookups;
        return host == "inside.example" ? Lines{"127.0.0.1"} : Lines{};
      }});
  const std::string origin = "http://inside.example:" + std::to_string(server.port());
  auto options = with_origin(origin);
  const Outcome refused = world.run(kFetch, options, list(origin + "/"));
  CHECK(refused.status == Status::kDenied);
  CHECK_THAT(refused.denial->message, Contains("allowPrivateAddresses"));
  CHECK(server.requests().empty());
  CHECK(lookups == 1);
  options.network->allow_private_addresses = true;
  CHECK(world.run(kFetch, options, list(origin + "/x")).status == Status::kOk);
  CHECK(lookups == 2);
  CHECK(server.requests().size() == 1);
}

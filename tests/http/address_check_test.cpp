// Which addresses a name may lead to, and what is connected to in the end.

#include <catch2/catch.hpp>

#include "tests/http/support/http_test_client.h"
#include "tests/http/support/local_server.h"

using namespace cordon;
using namespace cordon::testing;

namespace {

HttpClientOptions with(const std::shared_ptr<Resolver>& resolver) {
  HttpClientOptions options;
  options.resolver = resolver;
  return options;
}

}  // namespace

TEST_CASE("A name that leads to an address which is not public is refused") {
  LocalServer server(always(ok("inside")));
  const auto* const address =
      GENERATE("127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0",
               "224.0.0.1", "fe80::1%1", "fd00::2", "64:ff9b::127.0.0.1", "198.18.0.1");
  HttpTestClient client(with(FakeResolver::with({{address}})));
  INFO(address);
  const FetchResult result = client.get(server.origin("api.example") + "/path");
  const Refusal refusal = refusal_of(result);
  CHECK(refusal.capability == "network");
  CHECK(refusal.message.find("Network access to " + server.origin("api.example")) == 0);
  CHECK(refusal.message.find("not granted") != std::string::npos);
  CHECK(refusal.message.find("`network.allowPrivateAddresses`") != std::string::npos);
  CHECK(refusal.message.find("path") == std::string::npos);
  CHECK(refusal.reason.find(address) == std::string::npos);
  CHECK(server.connections() == 0);
}

TEST_CASE("With allowPrivateAddresses it is connected to") {
  LocalServer server(always(ok("inside")));
  const auto resolver = FakeResolver::with({{"127.0.0.1"}});
  HttpTestClient client(with(resolver));
  const auto session = client.session(true);
  const FetchResult result = client.fetch(*session, request(server.origin("api.example") + "/"));
  REQUIRE(result);
  CHECK(result->text() == "inside");
  CHECK(resolver->asked == std::vector<std::string>{"api.example"});
}

TEST_CASE("localhost never goes through a resolver, and no other name is like it") {
  LocalServer server(always(ok("here")));
  const auto resolver = FakeResolver::with({{"127.0.0.1"}});
  HttpTestClient client(with(resolver));
  const FetchResult result = client.get(server.origin("localhost") + "/");
  REQUIRE(result);
  CHECK(result->text() == "here");
  CHECK(resolver->asked.empty());
  CHECK(refusal_of(client.get(server.origin("a.localhost") + "/")).capability == "network");
}

TEST_CASE("When one address does not answer, the next one is tried") {
  LocalServer server(always(ok("second")));
  const auto resolver = FakeResolver::with({{"127.0.0.2", "::1", "127.0.0.1"}});
  HttpTestClient client(with(resolver));
  const auto session = client.session(true);
  const FetchResult result = client.fetch(*session, request(server.origin("api.example") + "/"));
  REQUIRE(result);
  CHECK(result->text() == "second");
}

TEST_CASE("A name is resolved once for a request: what was checked is what is connected to") {
  LocalServer server(always(ok("inside")));
  // The second answer is what a rebinding attack would like to be used for the connection.
  const auto resolver = FakeResolver::with({{"10.0.0.1"}, {"127.0.0.1"}});
  HttpTestClient client(with(resolver));
  CHECK(refusal_of(client.get(server.origin("rebind.example") + "/")).capability == "network");
  CHECK(resolver->asked.size() == 1);
  CHECK(server.connections() == 0);
}

TEST_CASE("A kept connection needs no resolver, a new one is checked again") {
  LocalServer server([](Peer& peer) {
    peer.read_request();
    peer.send(ok("x"));
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  const auto resolver = FakeResolver::with({{"127.0.0.1"}, {}});
  HttpTestClient client(with(resolver));
  const auto session = client.session(true);
  const auto get = [&] {
    return client.fetch(*session, request(server.origin("api.example") + "/"));
  };
  CHECK(get());
  CHECK(get());
  CHECK(resolver->asked.size() == 1);
  CHECK(failure_of(get()) == "name not found");
  CHECK(resolver->asked.size() == 2);
}

TEST_CASE("A name that has no address fails in the resolver's words") {
  const auto resolver = std::make_shared<FakeResolver>(
      std::deque<FakeResolver::Answer>{std::string("name not found")});
  HttpTestClient client(with(resolver));
  CHECK(failure_of(client.get("http://gone.example/")) == "name not found");
}

// Requests and responses against real servers.

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>

#include "tests/http/support/http_test_client.h"
#include "tests/http/support/local_server.h"

using namespace cordon;
using namespace cordon::testing;

namespace {

// Answers with the request itself.
void echo(Peer& peer) {
  for (std::string text; !(text = peer.read_request()).empty();) {
    if (!peer.send(ok(text))) return;
  }
}

bool ipv6_loopback() {
  boost::asio::io_context io;
  boost::system::error_code error;
  boost::asio::ip::tcp::acceptor acceptor(io, boost::asio::ip::tcp::v6());
  acceptor.bind({boost::asio::ip::address_v6::loopback(), 0}, error);
  return !error;
}

std::string unused_origin() {
  boost::asio::io_context io;
  const boost::asio::ip::tcp::acceptor acceptor(io, {boost::asio::ip::address_v4::loopback(), 0});
  return "http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
}

}  // namespace

TEST_CASE("A GET brings status, headers and body") {
  LocalServer server(
      always("HTTP/1.1 201 Created\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 6\r\n\r\n"
             "\xEF\xBB\xBFh\xFF!"));
  HttpTestClient client;
  const FetchResult result = client.get(server.origin() + "/path?query");
  REQUIRE(result);
  CHECK(result->status == 201);
  CHECK(result->headers == std::vector<HttpHeader>{{"content-length", "6"}, {"x-a", "1, 2"}});
  CHECK(result->body_bytes.size() == 6);
  CHECK(result->text() == "h\xEF\xBF\xBD!");
}

TEST_CASE("Method, target, headers and body arrive as they were checked") {
  LocalServer server(echo);
  HttpTestClient client;
  const auto session = client.session();
  const FetchResult result = client.fetch(
      *session, request(server.origin() + "/a/../b?c#d", "PATCH", {{"X-Guest", "yes"}}),
      "h\xC3\xA9");
  REQUIRE(result);
  const std::string text = result->text();
  CHECK(text.find("PATCH /b?c HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                  "\r\n") == 0);
  CHECK(text.find("\r\nX-Guest: yes\r\n") != std::string::npos);
  CHECK(text.find("\r\nContent-Length: 3\r\n") != std::string::npos);
  CHECK(text.substr(text.size() - 7) == "\r\n\r\nh\xC3\xA9");
}

TEST_CASE("A large body goes out and comes back") {
  LocalServer server(echo);
  HttpTestClient client;
  const auto session = client.session();
  const std::string body(700'000, 'b');
  const FetchResult result = client.fetch(*session, request(server.origin() + "/", "POST"), body);
  REQUIRE(result);
  CHECK(result->body_bytes.size() > body.size());
  CHECK(result->body_bytes.substr(result->body_bytes.size() - body.size()) == body);
}

TEST_CASE("HEAD has no body and leaves the connection usable") {
  LocalServer server([](Peer& peer) {
    while (!peer.read_request().empty()) peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
  });
  HttpTestClient client;
  const auto session = client.session();
  for (int i = 0; i < 2; ++i) {
    const FetchResult result = client.fetch(*session, request(server.origin() + "/", "HEAD"));
    REQUIRE(result);
    CHECK(result->body_bytes.empty());
  }
  CHECK(server.connections() == 1);
}

TEST_CASE("A redirect is returned, not followed") {
  LocalServer other(always(ok("stolen")));
  LocalServer server(always("HTTP/1.1 302 Found\r\nLocation: " + other.origin() +
                            "/\r\nContent-Length: 0\r\n\r\n"));
  HttpTestClient client;
  const FetchResult result = client.get(server.origin() + "/");
  REQUIRE(result);
  CHECK(result->status == 302);
  CHECK(other.connections() == 0);
}

TEST_CASE("Cookies are given to nobody") {
  LocalServer server([](Peer& peer) {
    for (std::string text; !(text = peer.read_request()).empty();) {
      peer.send("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: " +
                std::to_string(text.size()) + "\r\n\r\n" + text);
    }
  });
  HttpTestClient client;
  const auto session = client.session();
  REQUIRE(client.fetch(*session, request(server.origin() + "/")));
  const FetchResult second = client.fetch(*session, request(server.origin() + "/"));
  REQUIRE(second);
  CHECK(second->text().find("ookie") == std::string::npos);
}

TEST_CASE("Proxy variables reroute nothing") {
  LocalServer proxy(always(ok("proxied")));
  LocalServer server(always(ok("direct")));
  const std::vector<const char*> names = {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"};
  for (const char* const name : names) ::setenv(name, proxy.origin().c_str(), 1);
  HttpTestClient client;
  const FetchResult result = client.get(server.origin() + "/");
  for (const char* const name : names) ::unsetenv(name);
  REQUIRE(result);
  CHECK(result->text() == "direct");
  CHECK(proxy.connections() == 0);
}

TEST_CASE("A granted literal address needs no other grant, on IPv6 as well") {
  HttpTestClient client;
  LocalServer v4(always(ok("four")));
  CHECK(client.get(v4.origin("127.0.0.1") + "/")->text() == "four");
  if (!ipv6_loopback()) {
    WARN("skipped: this machine has no IPv6 loopback address");
    return;
  }
  LocalServer v6(always(ok("six")), std::nullopt, "::1");
  CHECK(client.get(v6.origin("[::1]") + "/")->text() == "six");
  // `localhost` is either.
  CHECK(client.get(v6.origin("localhost") + "/")->text() == "six");
}

TEST_CASE("Nobody listens: the failure says so, and no more of the URL than its origin") {
  HttpTestClient client;
  const std::string origin = unused_origin();
  const FetchResult result = client.get(origin + "/secret-path?secret-query");
  CHECK(failure_of(result) == "connection refused");
  CHECK(std::get<OperationFailure>(result.error()).message ==
        "Network request to " + origin + " failed: connection refused");
}

TEST_CASE("Several requests of one session run at once, up to its share, and all are answered") {
  std::mutex mutex;
  std::condition_variable changed;
  unsigned together = 0;
  LocalServer server([&](Peer& peer) {
    while (!peer.read_request().empty()) {
      {
        // Nobody is answered before three are here.
        std::unique_lock lock(mutex);
        ++together;
        changed.notify_all();
        changed.wait(lock, [&] { return together >= 3; });
      }
      peer.send(ok("x"));
    }
  });
  HttpClientOptions options;
  options.limits.max_connections = 3;
  HttpTestClient client(std::move(options));
  const auto session = client.session();
  std::vector<HttpTestClient::Pending> pending;
  for (int i = 0; i < 20; ++i)
    pending.push_back(client.start(*session, request(server.origin() + "/")));
  for (const auto& each : pending) CHECK(client.finish(each));
  CHECK(server.connections() == 3);
}

TEST_CASE("fetch() may be called from any thread") {
  LocalServer server(always(ok("x")));
  HttpTestClient client;
  const auto session = client.session();
  std::atomic<int> answered{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 10; ++n)
        session->fetch(request(server.origin() + "/"), std::nullopt, 100,
                       [&](const FetchResult& result) { answered += result ? 1 : 0; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(client.run_until([&] { return answered == 40; }));
}

// Who answers over TLS, and what happens if it is somebody else.

#include <cordon/options.h>
#include <atomic>
#include <catch2/catch.hpp>

#include "tests/http/support/http_test_client.h"
#include "tests/http/support/local_server.h"
#include "tests/http/support/test_ca.h"

using namespace cordon;
using namespace cordon::testing;

namespace {

HttpClientOptions trusting(const TestCa& ca) {
  HttpClientOptions options;
  options.ca_file = ca.file();
  return options;
}

}  // namespace

TEST_CASE("A certificate of a trusted authority for the very host is accepted") {
  const TestCa ca;
  LocalServer server(always(ok("safe")), ca.issue({}));
  HttpTestClient client(trusting(ca));
  const auto session = client.session();
  for (const char* const host : {"localhost", "127.0.0.1"}) {
    INFO(host);
    for (int i = 0; i < 3; ++i) {
      const FetchResult result = client.fetch(*session, request(server.origin(host) + "/"));
      REQUIRE(result);
      CHECK(result->text() == "safe");
    }
  }
  CHECK(server.connections() == 2);
}

TEST_CASE("A certificate that is wrong in one way is refused in those words") {
  const TestCa ca;
  const TestCa other;
  struct Case {
    Certificate certificate;
    const char* host;
    const char* reason;
  };
  const Case cases[] = {
      {ca.issue({.not_before = -7200, .not_after = -60}), "localhost",
       "TLS certificate has expired"},
      {ca.issue({.not_before = 3600}), "localhost", "TLS certificate is not valid yet"},
      {ca.issue({.names = {"DNS:other.example"}}), "localhost",
       "TLS certificate is for another host"},
      {ca.issue({.names = {"DNS:127.0.0.1", "IP:127.0.0.2"}}), "127.0.0.1",
       "TLS certificate is for another host"},
      {ca.issue({.names = {"IP:127.0.0.1"}}), "localhost", "TLS certificate is for another host"},
      {other.issue({}), "localhost", "TLS certificate is not from a trusted authority"},
  };
  for (const Case& each : cases) {
    INFO(each.reason);
    LocalServer server(always(ok("never")), each.certificate);
    HttpTestClient client(trusting(ca));
    CHECK(failure_of(client.get(server.origin(each.host) + "/")) == each.reason);
  }
}

TEST_CASE("An authority of one's own is not in the system's store") {
  const TestCa ca;
  LocalServer server(always(ok("never")), ca.issue({}));
  HttpTestClient client;
  CHECK(failure_of(client.get(server.origin() + "/")) ==
        "TLS certificate is not from a trusted authority");
}

TEST_CASE("A name that was resolved is what the certificate must hold") {
  const TestCa ca;
  LocalServer server(always(ok("safe")), ca.issue({.names = {"DNS:api.example"}}));
  HttpClientOptions options = trusting(ca);
  options.resolver = FakeResolver::with({{"127.0.0.1"}});
  HttpTestClient client(std::move(options));
  const auto session = client.session(true);
  CHECK(client.fetch(*session, request(server.origin("api.example") + "/")));
  CHECK(failure_of(client.fetch(*session, request(server.origin("www.api.example") + "/"))) ==
        "TLS certificate is for another host");
}

TEST_CASE("A server that speaks something else, or nothing, fails the handshake") {
  const TestCa ca;
  HttpClientOptions options = trusting(ca);
  options.limits.handshake_timeout = std::chrono::milliseconds(100);
  HttpTestClient client(std::move(options));
  LocalServer plain([](Peer& peer) {
    peer.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    peer.wait_for_end();
  });
  LocalServer silent([](Peer& peer) { peer.wait_for_end(); });
  // A handshake's record that comes byte by byte.
  LocalServer trickling([](Peer& peer) {
    peer.send(std::string_view("\x16\x03\x03\x40\x00", 5));
    while (peer.send("x") && !peer.gone_within(std::chrono::milliseconds(5))) {
    }
  });
  const auto https = [](const LocalServer& server) {
    return "https://127.0.0.1:" + std::to_string(server.port()) + "/";
  };
  CHECK(failure_of(client.get(https(plain))) == "TLS handshake failed");
  CHECK(failure_of(client.get(https(silent))) == "TLS handshake timed out");
  CHECK(failure_of(client.get(https(trickling))) == "TLS handshake timed out");
  CHECK(client.run_until(
      [&] { return plain.ended() == 1 && silent.ended() == 1 && trickling.ended() == 1; }));
}

TEST_CASE("TLS 1.1 is not spoken") {
  const TestCa ca;
  LocalServer server(always(ok("never")), ca.issue({}), "127.0.0.1", TLS1_1_VERSION);
  HttpTestClient client(trusting(ca));
  CHECK(failure_of(client.get(server.origin() + "/")) == "TLS handshake failed");
}

TEST_CASE("TLS 1.2 is spoken") {
  const TestCa ca;
  LocalServer server(always(ok("old")), ca.issue({}), "127.0.0.1", TLS1_2_VERSION);
  HttpTestClient client(trusting(ca));
  CHECK(client.get(server.origin() + "/")->text() == "old");
}

TEST_CASE("A body that ends with the connection needs TLS's own goodbye") {
  const TestCa ca;
  const bool says_goodbye = GENERATE(true, false);
  LocalServer server(
      [&](Peer& peer) {
        peer.read_request();
        peer.send("HTTP/1.1 200 OK\r\n\r\nperhaps not all");
        says_goodbye ? peer.close() : peer.cut();
      },
      ca.issue({}));
  HttpTestClient client(trusting(ca));
  const FetchResult result = client.get(server.origin() + "/");
  if (says_goodbye) {
    REQUIRE(result);
    CHECK(result->text() == "perhaps not all");
  } else {
    CHECK(failure_of(result) == "connection closed");
  }
}

TEST_CASE("A body whose end is known is cut short whether or not TLS says goodbye") {
  const TestCa ca;
  const std::string response =
      GENERATE(as<std::string>(), "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
               "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
  const bool says_goodbye = GENERATE(true, false);
  LocalServer server(
      [&](Peer& peer) {
        peer.read_request();
        peer.send(response);
        says_goodbye ? peer.close() : peer.cut();
      },
      ca.issue({}));
  HttpTestClient client(trusting(ca));
  CHECK(failure_of(client.get(server.origin() + "/")).starts_with("connection closed"));
}

TEST_CASE("Limits and cancellation hold over TLS") {
  const TestCa ca;
  std::atomic<bool> asked{false};
  LocalServer server(
      [&](Peer& peer) {
        if (peer.read_request().find("GET /flood") == 0) {
          peer.send("HTTP/1.1 200 OK\r\n\r\n");
          while (peer.send(std::string(4096, 'x'))) {
          }
        } else {
          asked = true;
          peer.wait_for_end();
        }
      },
      ca.issue({}));
  HttpTestClient client(trusting(ca));
  CHECK(refusal_of(client.get(server.origin() + "/flood", 10000)).capability == "resource.bytes");
  CHECK(client.run_until([&] { return server.ended() == 1; }));

  const auto session = client.session();
  const auto pending = client.start(*session, request(server.origin() + "/wait"));
  REQUIRE(client.run_until([&] { return asked.load(); }));
  session->close();
  CHECK(failure_of(client.finish(pending)) == "cancelled");
  CHECK(client.run_until([&] { return server.ended() == 2; }));
}

TEST_CASE("Certificates that cannot be read are said at construction") {
  boost::asio::io_context io;
  HttpClientOptions options;
  options.ca_file = "/nonexistent/ca.pem";
  CHECK_THROWS_AS(HttpClient(io, options), InvalidOption);
}

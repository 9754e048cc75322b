// Which connections are kept, for whom, and until when.

#include <catch2/catch.hpp>

#include "tests/http/support/http_test_client.h"
#include "tests/http/support/local_server.h"

using namespace cordon;
using namespace cordon::testing;

TEST_CASE("A session keeps its connection") {
  LocalServer server(always(ok("x")));
  HttpTestClient client;
  const auto session = client.session();
  for (int i = 0; i < 5; ++i) CHECK(client.fetch(*session, request(server.origin() + "/")));
  CHECK(server.connections() == 1);
}

TEST_CASE("No connection serves two sessions") {
  LocalServer server(always(ok("x")));
  HttpTestClient client;
  const auto one = client.session();
  const auto other = client.session();
  CHECK(client.fetch(*one, request(server.origin() + "/")));
  CHECK(client.fetch(*other, request(server.origin() + "/")));
  CHECK(client.fetch(*one, request(server.origin() + "/")));
  CHECK(server.connections() == 2);
}

TEST_CASE("No connection serves two origins, even where they lead to one server") {
  LocalServer server(always(ok("x")));
  HttpTestClient client;
  const auto session = client.session();
  CHECK(client.fetch(*session, request(server.origin("127.0.0.1") + "/")));
  CHECK(client.fetch(*session, request(server.origin("localhost") + "/")));
  CHECK(server.connections() == 2);
}

TEST_CASE("An idle connection gives way to another origin") {
  LocalServer one(always(ok("1")));
  LocalServer other(always(ok("2")));
  HttpClientOptions options;
  options.limits.max_connections = 1;
  HttpTestClient client(std::move(options));
  const auto session = client.session();
  CHECK(client.fetch(*session, request(one.origin() + "/"))->text() == "1");
  CHECK(client.fetch(*session, request(other.origin() + "/"))->text() == "2");
  CHECK(client.run_until([&] { return one.ended() == 1; }));
  CHECK(other.ended() == 0);
}

TEST_CASE("A response after which the connection ends is followed by a new connection") {
  const std::string response = GENERATE(
      as<std::string>(), "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
      "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", "HTTP/1.1 200 OK\r\n\r\nx");
  LocalServer server([&](Peer& peer) {
    peer.read_request();
    peer.send(response);
    peer.close();
  });
  HttpTestClient client;
  const auto session = client.session();
  for (int i = 0; i < 2; ++i) {
    const FetchResult result = client.fetch(*session, request(server.origin() + "/"));
    REQUIRE(result);
    CHECK(result->text() == "x");
  }
  CHECK(server.connections() == 2);
}

TEST_CASE("Bytes after a response are never taken for the next one's answer") {
  LocalServer server([](Peer& peer) {
    peer.read_request();
    peer.send(ok("first") + ok("smuggled"));
    peer.wait_for_end();
  });
  HttpTestClient client;
  const auto session = client.session();
  for (int i = 0; i < 3; ++i)
    CHECK(client.fetch(*session, request(server.origin() + "/"))->text() == "first");
  CHECK(client.run_until([&] { return server.ended() == 3; }));
}

TEST_CASE("Bytes that come while nothing was asked end the connection") {
  LocalServer server([](Peer& peer) {
    peer.read_request();
    peer.send(ok("first"));
    peer.send(ok("smuggled"));
    peer.wait_for_end();
  });
  HttpTestClient client;
  const auto session = client.session();
  CHECK(client.fetch(*session, request(server.origin() + "/"))->text() == "first");
  CHECK(client.run_until([&] { return server.ended() == 1; }));
  CHECK(client.fetch(*session, request(server.origin() + "/"))->text() == "first");
  CHECK(server.connections() == 2);
}

TEST_CASE("A connection that is idle too long is closed") {
  LocalServer server(always(ok("x")));
  HttpClientOptions options;
  options.limits.idle_timeout = std::chrono::milliseconds(20);
  HttpTestClient client(std::move(options));
  const auto session = client.session();
  CHECK(client.fetch(*session, request(server.origin() + "/")));
  CHECK(client.run_until([&] { return server.ended() == 1; }));
  CHECK(client.fetch(*session, request(server.origin() + "/")));
}

TEST_CASE("A request on a kept connection that was given up is sent again, if that is harmless") {
  // Each connection answers once, then takes one more request and goes.
  LocalServer server([](Peer& peer) {
    peer.read_request();
    peer.send(ok("x"));
    peer.read_request();
    peer.close();
  });
  HttpTestClient client;
  const auto session = client.session();
  const auto fetch = [&](const char* method) {
    return client.fetch(*session, request(server.origin() + "/", method));
  };
  REQUIRE(fetch("GET"));
  SECTION("GET") {
    CHECK(fetch("GET"));
    CHECK(server.connections() == 2);
  }
  SECTION("PUT") {
    CHECK(fetch("PUT"));
    CHECK(server.connections() == 2);
  }
  SECTION("POST might be done twice") {
    CHECK(failure_of(fetch("POST")) == "connection closed");
    CHECK(server.connections() == 1);
  }
}

TEST_CASE("A request is sent again only once, and not after part of an answer") {
  HttpTestClient client;
  const auto session = client.session();
  SECTION("the new connection ends as well") {
    LocalServer server([](Peer& peer) {
      peer.read_request();
      if (peer.number() != 0) return;
      peer.send(ok("x"));
      peer.read_request();
    });
    REQUIRE(client.fetch(*session, request(server.origin() + "/")));
    CHECK(failure_of(client.fetch(*session, request(server.origin() + "/"))) ==
          "connection closed");
    CHECK(server.connections() == 2);
  }
  SECTION("part of an answer has come") {
    LocalServer server([](Peer& peer) {
      peer.read_request();
      peer.send(ok("x"));
      peer.read_request();
      peer.send("HTTP/1.1 2");
    });
    REQUIRE(client.fetch(*session, request(server.origin() + "/")));
    CHECK(failure_of(client.fetch(*session, request(server.origin() + "/"))) ==
          "connection closed before the response's end");
    CHECK(server.connections() == 1);
  }
  SECTION("a fresh connection is not tried twice") {
    LocalServer server([](Peer& peer) { peer.read_request(); });
    CHECK(failure_of(client.fetch(*session, request(server.origin() + "/"))) ==
          "connection closed");
    CHECK(server.connections() == 1);
  }
}

// Servers that do their worst: every request ends, with the exact reason, and so does the
// connection.

#include <zlib.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>

#include "tests/http/support/http_test_client.h"
#include "tests/http/support/local_server.h"

using namespace cordon;
using namespace cordon::testing;

namespace {

constexpr const char* kChunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

// Sends `start`, then `more` until the client goes away.
LocalServer::Script flood(std::string start, std::string more) {
  return [start = std::move(start), more = std::move(more)](Peer& peer) {
    peer.read_request();
    peer.send(start);
    while (peer.send(more)) {
    }
  };
}

LocalServer::Script once(std::string response) {
  return [response = std::move(response)](Peer& peer) {
    peer.read_request();
    peer.send(response);
    peer.wait_for_end();
  };
}

}  // namespace

TEST_CASE("A body without end is cut at the limit and its connection closed") {
  const std::string start =
      GENERATE(as<std::string>(), "HTTP/1.1 200 OK\r\n\r\n", kChunked,
               "HTTP/1.1 200 OK\r\nContent-Length: 4000000000\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n");
  const std::string more =
      start == kChunked ? "400\r\n" + std::string(1024, '0') + "\r\n" : std::string(1024, '0');
  LocalServer server(flood(start, more));
  HttpTestClient client;
  const FetchResult result = client.get(server.origin() + "/path", 65536);
  const Refusal refusal = refusal_of(result);
  CHECK(refusal.capability == "resource.bytes");
  CHECK(refusal.message == "Network response from " + server.origin() +
                               " exceeds 65536 bytes (resources.maxNetworkBytes)");
  CHECK(refusal.reason == "exceeds 65536 bytes");
  CHECK(client.run_until([&] { return server.ended() == 1; }));
}

TEST_CASE("Headers, informational responses, chunk lines and trailers without end are cut too") {
  struct Case {
    const char* start;
    std::string more;
    const char* reason;
  };
  constexpr const char* kTooLarge = "the response's header exceeds 65536 bytes";
  const Case cases[] = {
      {"HTTP/1.1 200 OK\r\n", "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", kTooLarge},
      {"HTTP/1.1 200 OK\r\nA: ", std::string(100, 'a'), kTooLarge},
      {"HTTP/1.1 200 ", std::string(100, 'O'), kTooLarge},
      {kChunked, "1;aaaaaaaaaaaaaaaaaaaaa", kTooLarge},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-A: aaaaaaaaaaaaaaaaaaa\r\n",
       kTooLarge},
      {"", "HTTP/1.1 103 Early Hints\r\n\r\n", "the response is not valid HTTP"},
  };
  for (const Case& each : cases) {
    INFO(each.start << each.more);
    LocalServer server(flood(each.start, each.more));
    HttpTestClient client;
    CHECK(failure_of(client.get(server.origin() + "/")) == each.reason);
    CHECK(client.run_until([&] { return server.ended() == 1; }));
  }
}

TEST_CASE("An invalid response is a failure that repeats nothing of it, and ends the connection") {
  const std::string response =
      GENERATE(as<std::string>(), "SECRET garbage\r\n\r\n",
               "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nSECRET",
               "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nSECRET",
               "HTTP/1.1 101 Switching Protocols\r\nUpgrade: SECRET\r\n\r\n",
               "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nSECRET\r\n");
  LocalServer server(once(response));
  HttpTestClient client;
  const FetchResult result = client.get(server.origin() + "/");
  CHECK(failure_of(result) == "the response is not valid HTTP");
  CHECK(std::get<OperationFailure>(result.error()).message.find("SECRET") == std::string::npos);
  CHECK(client.run_until([&] { return server.ended() == 1; }));
}

TEST_CASE("A body that ends early is a failure") {
  const std::string response = GENERATE(
      as<std::string>(), "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "HTTP/1.1 200 OK\r\n");
  LocalServer server([&](Peer& peer) {
    peer.read_request();
    peer.send(response);
  });
  HttpTestClient client;
  CHECK(failure_of(client.get(server.origin() + "/")) ==
        "connection closed before the response's end");
}

TEST_CASE("A body of nothing that decodes to gigabytes is cut by what it decodes to") {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string zeros(1 << 20, '\0');
  std::atomic<bool> gone{false};
  LocalServer server([&](Peer& peer) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
    std::string out(1 << 20, '\0');
    for (int i = 0; i < 4096 && !gone; ++i) {
      stream.next_in = reinterpret_cast<unsigned char*>(zeros.data());
      stream.avail_in = static_cast<unsigned>(zeros.size());
      stream.next_out = reinterpret_cast<unsigned char*>(out.data());
      stream.avail_out = static_cast<unsigned>(out.size());
      deflate(&stream, Z_SYNC_FLUSH);
      gone = !peer.send(std::string_view(out).substr(0, out.size() - stream.avail_out));
    }
  });
  HttpTestClient client;
  CHECK(refusal_of(client.get(server.origin() + "/", 1 << 16)).capability == "resource.bytes");
  CHECK(client.run_until([&] { return server.ended() == 1; }));
  CHECK(gone);
  deflateEnd(&stream);
}

TEST_CASE("A reset in the middle is a failure") {
  HttpTestClient client;
  LocalServer server([&](Peer& peer) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
    peer.reset();
  });
  const std::string reason = failure_of(client.get(server.origin() + "/"));
  CHECK(reason == "connection reset");
}

TEST_CASE(
    "Closing the session ends a server that never answers, trickles or never reads, at once") {
  std::atomic<unsigned> asked{0};
  LocalServer silent([&](Peer& peer) {
    peer.read_request();
    ++asked;
    peer.wait_for_end();
  });
  LocalServer slow([&](Peer& peer) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\na");
    ++asked;
    peer.wait_for_end();
  });
  // Reads nothing, so that a large request is never sent to its end.
  std::atomic<bool> over{false};
  LocalServer deaf([&](Peer& peer) {
    ++asked;
    while (!over && !peer.gone_within(std::chrono::milliseconds(10))) {
    }
    peer.wait_for_end();
  });
  HttpTestClient client;
  auto session = client.session();
  const auto first = client.start(*session, request(silent.origin() + "/"));
  const auto second = client.start(*session, request(slow.origin() + "/"));
  const auto third =
      client.start(*session, request(deaf.origin() + "/", "POST"), std::string(32 << 20, 'b'));
  REQUIRE(client.run_until([&] { return asked == 3; }));
  CHECK_FALSE(first->has_value());
  CHECK_FALSE(second->has_value());
  CHECK_FALSE(third->has_value());
  SECTION("by close()") { session->close(); }
  SECTION("by its end") { session.reset(); }
  CHECK(failure_of(client.finish(first)) == "cancelled");
  CHECK(failure_of(client.finish(second)) == "cancelled");
  CHECK(failure_of(client.finish(third)) == "cancelled");
  over = true;
  CHECK(client.run_until(
      [&] { return silent.ended() == 1 && slow.ended() == 1 && deaf.ended() == 1; }));
}

TEST_CASE("Closing the session ends what waits, what connects and what comes after") {
  // A resolver that never answers.
  class Silent final : public Resolver {
    void resolve(std::string, OnAddresses) override {}
    void stop() override {}
  };
  HttpClientOptions options;
  options.resolver = std::make_shared<Silent>();
  options.limits.max_connections = 1;
  HttpTestClient client(std::move(options));
  const auto session = client.session();
  const auto connecting = client.start(*session, request("http://one.example/"));
  const auto waiting = client.start(*session, request("http://two.example/"));
  session->close();
  const auto late = client.start(*session, request("http://three.example/"));
  CHECK(failure_of(client.finish(connecting)) == "cancelled");
  CHECK(failure_of(client.finish(waiting)) == "cancelled");
  CHECK(failure_of(client.finish(late)) == "cancelled");
  session->close();
}

TEST_CASE("Closing one session leaves others alone") {
  LocalServer server(always(ok("x")));
  HttpTestClient client;
  const auto one = client.session();
  const auto other = client.session();
  CHECK(client.fetch(*one, request(server.origin() + "/")));
  CHECK(client.fetch(*other, request(server.origin() + "/")));
  one->close();
  CHECK(client.run_until([&] { return server.ended() == 1; }));
  CHECK(client.fetch(*other, request(server.origin() + "/")));
  CHECK(server.connections() == 2);
}

TEST_CASE("A client that goes while requests are under way leaves no connection behind") {
  std::atomic<bool> asked{false};
  LocalServer server([&](Peer& peer) {
    peer.read_request();
    asked = true;
    peer.wait_for_end();
  });
  HttpTestClient bystander;
  {
    HttpTestClient client;
    const auto session = client.session();
    const auto pending = client.start(*session, request(server.origin() + "/"));
    REQUIRE(client.run_until([&] { return asked.load(); }));
    CHECK_FALSE(pending->has_value());
  }
  CHECK(bystander.run_until([&] { return server.ended() == 1; }));
}

TEST_CASE("A server that answers before it has read the request ends neither side up waiting") {
  LocalServer server([](Peer& peer) {
    peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
    peer.wait_for_end();
  });
  HttpTestClient client;
  const auto session = client.session();
  const FetchResult result =
      client.fetch(*session, request(server.origin() + "/", "POST"), std::string(8 << 20, 'b'));
  REQUIRE(result);
  CHECK(result->status == 413);
  // Half a request was written there: nothing else is.
  CHECK(client.run_until([&] { return server.ended() == 1; }));
}

TEST_CASE("Random bytes for responses always end, and always alike for the caller") {
  std::mt19937 random(7);
  const auto letter = [&] {
    static constexpr std::string_view kAlphabet("HTP/1.0 25\r\n:;,aContent-LengthTransfer\x00\xFF",
                                                40);
    return kAlphabet[random() % kAlphabet.size()];
  };
  std::vector<std::string> responses;
  for (int i = 0; i < 150; ++i) {
    std::string bytes = i % 3 == 0 ? "" : i % 3 == 1 ? "HTTP/1.1 200 OK\r\n" : kChunked;
    for (std::size_t size = random() % 200; size != 0; --size) bytes += letter();
    responses.push_back(bytes);
  }
  std::atomic<unsigned> next{0};
  LocalServer server([&](Peer& peer) {
    peer.read_request();
    peer.send(responses[next++ % responses.size()]);
    peer.close();
  });
  HttpTestClient client;
  const auto session = client.session();
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const FetchResult result = client.fetch(*session, request(server.origin() + "/"));
    if (!result) {
      CHECK(failure_of(result).size() < 100);
    } else {
      CHECK(result->status >= 200);
    }
  }
}

#include "capabilities/http/request_text.h"

#include <catch2/catch.hpp>

#include "tests/http/support/http_test_client.h"

using cordon::request_text;
using cordon::testing::request;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A request holds the host's fields, then the guest's") {
  const auto checked =
      request("https://api.example.com/a%20b?c=d#e", "GET", {{"X-One", "1"}, {"x-two", "2"}});
  CHECK(request_text(checked, std::nullopt) ==
        "GET /a%20b?c=d HTTP/1.1\r\n"
        "Host: api.example.com\r\n"
        "Connection: keep-alive\r\n"
        "Accept-Encoding: identity\r\n"
        "User-Agent: cordon/" CORDON_VERSION
        "\r\n"
        "X-One: 1\r\n"
        "x-two: 2\r\n"
        "\r\n");
}

TEST_CASE("Host holds a port that is not the scheme's, and an IPv6 address its brackets") {
  CHECK(contains(request_text(request("http://a.example:8080/"), {}),
                 "\r\nHost: a.example:8080\r\n"));
  CHECK(contains(request_text(request("http://a.example:80/"), {}), "\r\nHost: a.example\r\n"));
  CHECK(contains(request_text(request("http://[::1]:81/"), {}), "\r\nHost: [::1]:81\r\n"));
}

TEST_CASE("A body comes with its length in bytes and, unless the guest gave one, a type") {
  const std::string text = request_text(request("http://a.example/", "PATCH"), "h\xC3\xA9");
  CHECK(contains(text, "\r\nContent-Length: 3\r\n"));
  CHECK(contains(text, "\r\nContent-Type: text/plain;charset=UTF-8\r\n"));
  CHECK(text.substr(text.size() - 7) == "\r\n\r\nh\xC3\xA9");

  const std::string json = request_text(
      request("http://a.example/", "POST", {{"content-type", "application/json"}}), "{}");
  CHECK(contains(json, "\r\ncontent-type: application/json\r\n"));
  CHECK_FALSE(contains(json, "text/plain"));

  CHECK(contains(request_text(request("http://a.example/", "POST"), ""), "Content-Length: 0\r\n"));
}

TEST_CASE("Without a body only POST and PUT say a length") {
  const auto says_length = [](const char* method) {
    return contains(request_text(request("http://a.example/", method), {}), "Content-Length: 0");
  };
  CHECK(says_length("POST"));
  CHECK(says_length("PUT"));
  CHECK_FALSE(says_length("GET"));
  CHECK_FALSE(says_length("DELETE"));
}

TEST_CASE("The guest chooses the user agent, but asks for no content coding") {
  const std::string text = request_text(
      request("http://a.example/", "GET", {{"User-Agent", "mine"}, {"ACCEPT-encoding", "gzip"}}),
      std::nullopt);
  CHECK(contains(text, "\r\nUser-Agent: mine\r\n"));
  CHECK_FALSE(contains(text, "cordon/"));
  CHECK_FALSE(contains(text, "gzip"));
  CHECK(contains(text, "\r\nAccept-Encoding: identity\r\n"));
}

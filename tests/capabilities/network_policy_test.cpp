#include "capabilities/network_policy.h"

#include <catch2/catch.hpp>

namespace cordon {
namespace {

Authority granted(std::vector<std::string> methods = {"GET", "post"}) {
  AISandboxOptions options;
  options.network.emplace().origins = {"https://API.example.com:443", "http://127.0.0.1:8080"};
  options.network->methods = std::move(methods);
  options.resources.max_network_bytes = 100;
  return Authority::validate(options);
}

Refusal refused(const Authority& authority, std::string_view url,
                std::optional<std::string_view> method = std::nullopt,
                const std::vector<HttpHeader>& headers = {},
                std::optional<std::uint64_t> body_bytes = std::nullopt) {
  const auto decision = decide_network(authority, url, method, headers, body_bytes);
  INFO(url);
  REQUIRE(decision.has_error());
  return decision.error();
}

const auto kNotGranted = Catch::Matches("^Network .*not granted.*");

TEST_CASE("a granted request is the parsed and checked one") {
  const auto decision = decide_network(granted(), "https://api.example.com/v1?q=1#frag", "post",
                                       {{"X-Trace", " a\tb "}}, 100);
  REQUIRE(decision.has_value());
  CHECK(decision->url.origin.text() == "https://api.example.com");
  CHECK(decision->url.target == "/v1?q=1");
  CHECK(decision->method == "POST");
  CHECK(decision->headers == std::vector<HttpHeader>{{"X-Trace", "a\tb"}});
}

TEST_CASE("without a method it is a GET") {
  CHECK(decide_network(granted(), "http://127.0.0.1:8080/", {}, {}, {})->method == "GET");
}

TEST_CASE("other origins are refused by their origin alone") {
  for (const char* url :
       {"https://api.example.com:8443/s3cret", "http://api.example.com/s3cret",
        "https://example.com/s3cret?s3cret#s3cret", "http://127.0.0.1/s3cret",
        "http://localhost:8080/s3cret", "https://api.example.com.evil.com/s3cret"}) {
    const Refusal refusal = refused(granted(), url);
    CHECK(refusal.capability == "network");
    CHECK_THAT(refusal.message, kNotGranted && Catch::Contains("`network.origins` (--allow-net="));
    CHECK_THAT(refusal.message, !Catch::Contains("s3cret"));
    CHECK(refusal.reason == "origin is not in network.origins");
  }
}

TEST_CASE("nothing is granted without a network grant") {
  const Authority nothing = Authority::validate({});
  CHECK(refused(nothing, "https://a.com/x").message ==
        "Network access to https://a.com is not granted: add it to `network.origins` "
        "(--allow-net=https://a.com)");
}

TEST_CASE("URLs that cannot be granted say why, and nothing of themselves") {
  for (const char* url :
       {"file:///s3cret", "data:text/plain,s3cret", "s3cret://x", "nonsense s3cret", "/s3cret", "",
        "blob:null/s3cret", "http://a.com\\@s3cret/"}) {
    const Refusal refusal = refused(granted(), url);
    CHECK(refusal.capability == "network");
    CHECK_THAT(refusal.message,
               kNotGranted && Catch::Contains("http") && !Catch::Contains("s3cret"));
    CHECK_THAT(refusal.reason, !Catch::Contains("s3cret"));
  }
  const Refusal refusal = refused(granted(), "http://user:hunter2@127.0.0.1:8080/x");
  CHECK_THAT(refusal.message, kNotGranted && Catch::Contains("http://127.0.0.1:8080 ") &&
                                  Catch::Contains("user name or password") &&
                                  !Catch::Contains("hunter2"));
}

TEST_CASE("methods compare without regard to case, and only granted tokens pass") {
  const std::string url = "https://api.example.com/";
  for (const char* method : {"GET", "get", "gEt"})
    CHECK(decide_network(granted({"get"}), url, method, {}, {})->method == "GET");
  for (const char* method : {"POST", "DELETE", "G\u00cbT"})
    CHECK_THAT(refused(granted({"GET"}), url, method).message, kNotGranted);
  for (const char* method : {"", " GET", "GET ", "GET\r\n", "G T", "TRACE", "connect"}) {
    CAPTURE(method);
    CHECK_THAT(refused(granted(), url, method).message, kNotGranted);
  }
  CHECK_THAT(refused(granted({"GET"}), url, "put").message,
             Catch::Contains("`network.methods` (--allow-methods=PUT)"));
  CHECK_THAT(refused(granted({}), url).message, kNotGranted);
}

TEST_CASE("framing and routing headers belong to the host") {
  for (const char* name :
       {"Host", "hOsT", "Content-Length", "transfer-encoding", "Connection", "Upgrade", "Expect",
        "TE", "Trailer", "Keep-Alive", "Proxy-Authorization", "proxy-connection", "PROXY-X"}) {
    CAPTURE(name);
    CHECK_THAT(refused(granted(), "https://api.example.com/", "GET", {{name, "x"}}).message,
               kNotGranted && Catch::Contains("only the host may set"));
  }
  for (const char* name :
       {"Accept", "Content-Type", "Authorization", "X-Host", "Teapot", "Cookie"}) {
    CAPTURE(name);
    CHECK(decide_network(granted(), "https://api.example.com/", {}, {{name, "x"}}, {}).has_value());
  }
}

TEST_CASE("headers cannot hold line breaks, controls or odd names") {
  const std::string url = "https://api.example.com/";
  for (const std::string_view value :
       {std::string_view("1\r\nx-injected: yes"), std::string_view("1\n"), std::string_view("\r"),
        std::string_view("a\0b", 3), std::string_view("\x7f"), std::string_view("\u00e9")})
    CHECK_THAT(refused(granted(), url, {}, {{"x-a", std::string(value)}}).message, kNotGranted);
  for (const std::string_view name :
       {std::string_view(""), std::string_view("a b"), std::string_view("a:"),
        std::string_view("a\n"), std::string_view("a\0", 2), std::string_view("Host "),
        std::string_view("\u00e9")})
    CHECK_THAT(refused(granted(), url, {}, {{std::string(name), "x"}}).message, kNotGranted);
  CHECK_THAT(refused(granted(), url, {}, {{"x", std::string(kMaxRequestHeaderBytes, 'x')}}).message,
             kNotGranted);
  CHECK_THAT(refused(granted(), url, {}, std::vector<HttpHeader>(20'000, {"x", ""})).message,
             kNotGranted);
}

TEST_CASE("bodies go with methods that have one, up to the limit") {
  const std::string url = "https://api.example.com/";
  CHECK_THAT(refused(granted(), url, "GET", {}, 0).message, kNotGranted);
  CHECK(decide_network(granted(), url, "POST", {}, 100).has_value());
  const Refusal refusal = refused(granted(), url, "POST", {}, 101);
  CHECK(refusal.capability == "resource.bytes");
  CHECK(refusal.message ==
        "Network request to https://api.example.com exceeds 100 bytes (resources.maxNetworkBytes)");
}

}  // namespace
}  // namespace cordon

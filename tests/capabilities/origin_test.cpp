#include "capabilities/origin.h"

#include <catch2/catch.hpp>
#include <random>

#include "capabilities/audit_target.h"

namespace cordon {
namespace {

std::string origin_text(std::string_view grant) {
  const auto origin = parse_origin(grant);
  return origin ? origin->text() : "refused";
}

std::string url_text(std::string_view url) {
  const auto parsed = parse_http_url(url);
  return parsed ? parsed->origin.text() + " " + parsed->target : "refused";
}

TEST_CASE("granted origins are kept in one canonical form") {
  CHECK(origin_text("https://api.example.com") == "https://api.example.com");
  CHECK(origin_text("HTTPS://API.Example.COM:443") == "https://api.example.com");
  CHECK(origin_text("http://localhost:80") == "http://localhost");
  CHECK(origin_text("http://localhost:443") == "http://localhost:443");
  CHECK(origin_text("http://127.0.0.1:8080") == "http://127.0.0.1:8080");
  CHECK(origin_text("http://[0:0:0:0:0:0:0:1]:8080") == "http://[::1]:8080");
  CHECK(origin_text("http://[2001:DB8::0:1]") == "http://[2001:db8::1]");
  CHECK(origin_text("http://my_service-2") == "http://my_service-2");
  CHECK(origin_text("https://xn--bcher-kva.example") == "https://xn--bcher-kva.example");
}

TEST_CASE("an IPv6 address is written as the URL standard writes it") {
  CHECK(origin_text("http://[0:1:0:1:0:1:0:1]") == "http://[0:1:0:1:0:1:0:1]");
  CHECK(origin_text("http://[1:0:1:0:1:0:1:0]") == "http://[1:0:1:0:1:0:1:0]");
  CHECK(origin_text("http://[1:0:0:2:0:0:0:3]") == "http://[1:0:0:2::3]");
  CHECK(origin_text("http://[1:0:0:2:3:0:0:4]") == "http://[1::2:3:0:0:4]");
  CHECK(origin_text("http://[::ffff:127.0.0.1]") == "http://[::ffff:7f00:1]");
  CHECK(origin_text("http://[1:2:3:4:5:6:0:0]") == "http://[1:2:3:4:5:6::]");
  CHECK(origin_text("http://[::]") == "http://[::]");
}

TEST_CASE("an international label is taken only if it stands for a name") {
  CHECK(origin_text("http://xn--fiqs8s.example") == "http://xn--fiqs8s.example");
  CHECK(origin_text("http://r3---sn-x.xn--bcher-kva.example") ==
        "http://r3---sn-x.xn--bcher-kva.example");
  CHECK(origin_text("http://a.xn--4db") == "http://a.xn--4db");
  for (const char* name : {"xn--", "xn--a", "xn--pokxncvks", "xn--abc-", "xn--a-ecp.example",
                           "a.xn--1ug", "0a.xn--4db", "xn--a--bcher-kva"}) {
    CAPTURE(name);
    CHECK(origin_text("http://" + std::string(name)) == "refused");
  }
}

TEST_CASE("a name may begin like an address") {
  CHECK(origin_text("http://127.0.0.1.nip.example:8080") == "http://127.0.0.1.nip.example:8080");
  CHECK(parse_origin("http://127.0.0.1.nip.example")->host_kind == Origin::HostKind::kName);
  CHECK(origin_text("http://1.2.3.4.5a") == "http://1.2.3.4.5a");
}

TEST_CASE("the kind of host is known") {
  CHECK(parse_origin("http://localhost")->host_kind == Origin::HostKind::kName);
  CHECK(parse_origin("http://10.0.0.1")->host_kind == Origin::HostKind::kIpv4);
  CHECK(parse_origin("http://[::1]")->host_kind == Origin::HostKind::kIpv6);
  CHECK(parse_origin("http://[::1]")->host == "::1");
  CHECK(parse_origin("https://a.example")->port == 443);
}

TEST_CASE("what is not exactly an origin is not granted") {
  for (const char* grant : {"",
                            "*",
                            "https://*",
                            "https://*.example.com",
                            "https://example.com/",
                            "https://a.com/path",
                            "https://a.com?q",
                            "https://a.com#f",
                            "https://user@a.com",
                            "https://user:pass@a.com",
                            "https://@a.com",
                            "ftp://a.com",
                            "ws://a.com",
                            "file:///",
                            "null",
                            "a.com",
                            "//a.com",
                            "https:a.com",
                            "https:/a.com",
                            "https://",
                            "https://:443",
                            "https://a.com:",
                            "https://a.com:0",
                            "https://a.com:65536",
                            "https://a.com:99999",
                            "https://a.com:0443",
                            "https://a.com:x",
                            " https://a.com",
                            "https://a.com ",
                            "https://a.com\n",
                            "https://a b.com",
                            "https://a%2ecom",
                            "https://a.com.",
                            "https://.a.com",
                            "https://a..com",
                            "https://a.com\\b",
                            "https://127.1",
                            "https://2130706433",
                            "https://0x7f.1",
                            "https://0x7f000001",
                            "https://127.0.0.01",
                            "https://256.256.256.256",
                            "https://1.2.3.4.5",
                            "https://a.123",
                            "https://a.0x1f",
                            "https://b\u00fccher.example",
                            "https://\uff11\uff12\uff17.0.0.1",
                            "https://[::1",
                            "https://[]",
                            "https://[fe80::1%25eth0]",
                            "https://[fe80::1%eth0]",
                            "https://[v1.a]",
                            "https://a!b.com",
                            "https://a.com,b.com"}) {
    CAPTURE(grant);
    CHECK(parse_origin(grant).has_error());
  }
  CHECK(parse_origin("https://" + std::string(64, 'a') + ".com").has_error());
  CHECK(parse_origin("https://" + std::string(63, 'a') + ".com").has_value());
}

TEST_CASE("an unusable origin is explained without repeating it") {
  const auto problem = parse_origin("https://user:hunter2@a.com").error().text;
  CHECK_THAT(problem, Catch::Contains("user name or password") && !Catch::Contains("hunter2"));
  CHECK_THAT(parse_origin("*").error().text, Catch::Contains("wildcard"));
}

TEST_CASE("URLs are cut into origin and request target") {
  CHECK(url_text("https://a.com") == "https://a.com /");
  CHECK(url_text("HTTP://A.com:80/x?y=1#z") == "http://a.com /x?y=1");
  CHECK(url_text("http://a.com?q") == "http://a.com /?q");
  CHECK(url_text("http://a.com/?") == "http://a.com /?");
  CHECK(url_text("http://a.com#/@b.com") == "http://a.com /");
  CHECK(url_text("http://a.com/@b.com") == "http://a.com /@b.com");
  CHECK(url_text("http://a.com?@b.com") == "http://a.com /?@b.com");
  CHECK(url_text("http://a.com/a b\u00e9\"<>`{}") == "http://a.com /a%20b%C3%A9%22%3C%3E%60%7B%7D");
  CHECK(url_text("http://a.com/?a b\u00e9'\\") == "http://a.com /?a%20b%C3%A9%27\\");
  CHECK(url_text("http://a.com/%zz%41") == "http://a.com /%zz%41");
}

TEST_CASE("dot segments are resolved as the URL standard does") {
  CHECK(url_text("http://a.com/x/../y") == "http://a.com /y");
  CHECK(url_text("http://a.com/../../y") == "http://a.com /y");
  CHECK(url_text("http://a.com/x/%2E%2e/y/%2e/z") == "http://a.com /y/z");
  CHECK(url_text("http://a.com/x/.%2e") == "http://a.com /");
  CHECK(url_text("http://a.com/x/y/..") == "http://a.com /x/");
  CHECK(url_text("http://a.com/x/.") == "http://a.com /x/");
  CHECK(url_text("http://a.com//x//y") == "http://a.com //x//y");
  CHECK(url_text("http://a.com/x?/../y") == "http://a.com /x?/../y");
}

TEST_CASE("URLs that two parsers could read differently are refused") {
  for (const char* url : {"",
                          "/x",
                          "//a.com/",
                          "a.com",
                          "http:",
                          "http:a.com",
                          "http:/a.com",
                          "http:///a.com",
                          "http://a.com\\@b.com/",
                          "http://a.com/x\\y",
                          "http:\\\\a.com",
                          "http://a\tb.com/",
                          "http://a.com/\r\nx",
                          "http://a.com/\n",
                          " http://a.com/",
                          "http://a.com/ ",
                          "http://a.com/x?y ",
                          "http://a.com/#z ",
                          "http://a.com:/",
                          "http://a.com:x/",
                          "http://a.com:99999/",
                          "http://a%2eb/",
                          "http://%31%32%37.0.0.1/",
                          "http://0x7f.1/",
                          "http://127.1/",
                          "http://a.com./",
                          "http://[::1/",
                          "http://[::1]x/",
                          "http://a.com:80:80/",
                          "http://\uff11.com/",
                          "http://a.com/\xff",
                          "ftp://a.com/",
                          "javascript:1",
                          "data:text/plain,x",
                          "blob:http://a.com/x",
                          "about:blank",
                          "file:///etc/passwd",
                          "ws://a.com/"}) {
    CAPTURE(url);
    CHECK(parse_http_url(url).has_error());
  }
  CHECK(parse_http_url(std::string_view("http://a.com/\0x", 15)).has_error());
  CHECK(parse_http_url("http://a.com/" + std::string(kMaxUrlBytes, 'a')).has_error());
}

TEST_CASE("a URL with user information still has the origin of its real host") {
  const auto parsed = parse_http_url("http://127.0.0.1:80@evil.invalid/x");
  REQUIRE(parsed.has_error());
  REQUIRE(parsed.error().origin.has_value());
  CHECK(parsed.error().origin->text() == "http://evil.invalid");
  const auto odd = parse_http_url("http://a\"b:[c]@d@evil.invalid:81/x");
  REQUIRE(odd.has_error());
  REQUIRE(odd.error().origin.has_value());
  CHECK(odd.error().origin->text() == "http://evil.invalid:81");
}

TEST_CASE("the audit sees an origin or nothing of a URL") {
  CHECK(network_target("https://A.com/tok?tok#tok") == "https://a.com");
  CHECK(network_target("http://tok@a.com:8080/") == "http://a.com:8080");
  CHECK(network_target("nonsense tok") == std::nullopt);
  CHECK(network_target("tok://x") == std::nullopt);
  CHECK(network_target("http://a.com\\@tok/") == std::nullopt);
  CHECK(named_target("/data/\xff") == "/data/\uFFFD");
}

TEST_CASE("whatever a URL looks like, what is parsed is unambiguous") {
  std::mt19937 random(11);
  static constexpr std::string_view kPieces[] = {
      "http",  "https",        "HTTP",      "://",       ":",    "/",    "//",     "\\", "@",
      "a.com", "evil.invalid", "127.0.0.1", "[::1]",     "0x7f", "1",    ".",      "..", "%2e",
      "%00",   "%40",          "?",         "#",         ":80",  ":443", ":99999", " ",  "\t",
      "\n",    "\u00e9",       "*",         "user:pass", "[",    "]",    "-",      "_"};
  int accepted = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string url = random() % 4 == 0 ? "" : random() % 2 == 0 ? "http://" : "https://a.com";
    for (std::size_t count = random() % 6; count > 0; --count)
      url += kPieces[random() % std::size(kPieces)];
    const auto parsed = parse_http_url(url);
    if (!parsed) continue;
    ++accepted;
    INFO(url);
    // The text between "//" and the path is the origin's own, spelled in any case.
    const std::size_t start = url.find("//") + 2;
    std::string authority = url.substr(start, url.find_first_of("/?#", start) - start);
    REQUIRE(authority.find_first_of("@\\%") == std::string::npos);
    // Grants and requests agree about it, and its text is a fixed point.
    const auto again = parse_origin(parsed->origin.text());
    REQUIRE(again.has_value());
    REQUIRE(*again == parsed->origin);
    REQUIRE(*parse_origin(url.substr(0, start) + authority) == parsed->origin);
    for (const char c : parsed->target) REQUIRE((c > 0x20 && c < 0x7f && c != '#'));
    REQUIRE(parsed->target.front() == '/');
    const auto refetched = parse_http_url(parsed->origin.text() + parsed->target);
    REQUIRE(refetched.has_value());
    REQUIRE(refetched->target == parsed->target);
  }
  CHECK(accepted > 1000);
}

}  // namespace
}  // namespace cordon

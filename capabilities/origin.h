#pragma once
// Origins and URLs. Pure: a URL is parsed here once, and what is checked is what is later fetched.
//
// At least as strict as the WHATWG URL standard: wherever two parsers might disagree about the host
// (user info, backslashes, percent-encoding, numeric or non-ASCII hosts, odd ports) the URL is
// refused.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "messages/result.h"

namespace cordon {

struct Origin {
  enum class HostKind : std::uint8_t { kName, kIpv4, kIpv6 };

  std::string scheme;  // "http" or "https"
  std::string host;    // lower case; IPv6 in canonical form, without brackets
  HostKind host_kind = HostKind::kName;
  std::uint16_t port = 0;  // never 0 in a parsed origin

  std::string authority() const;  // "api.example.com:8080"; the scheme's default port is left out
  std::string text() const;       // "https://api.example.com"
  friend bool operator==(const Origin&, const Origin&) = default;
};

struct HttpUrl {
  Origin origin;
  std::string target;  // "/path?query": printable ASCII, dot segments resolved, no fragment
};

struct UrlProblem {
  UrlProblem() = default;
  UrlProblem(std::string_view what, std::optional<Origin> where)
      : text(what), origin(std::move(where)) {}

  std::string text;              // host-written, e.g. "its port is not from 1 to 65535"
  std::optional<Origin> origin;  // when the URL would have one, so that a refusal can name it
};

inline constexpr std::size_t kMaxUrlBytes = std::size_t{64} << 10;

// An absolute http or https URL.
Result<HttpUrl, UrlProblem> parse_http_url(std::string_view url);

// An origin as it is granted: scheme, host and perhaps a port, and nothing else. The error says
// what is wrong.
Result<Origin, UrlProblem> parse_origin(std::string_view text);

}  // namespace cordon

#pragma once
// fetchText(): the whole decision about a request, before any name is resolved or socket opened.
//
// Pure. Whoever performs the request uses the CheckedRequest and nothing of what the guest sent.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capabilities/authority.h"
#include "capabilities/operation.h"
#include "capabilities/origin.h"

namespace cordon {

struct HttpHeader {
  std::string name;
  std::string value;
  friend bool operator==(const HttpHeader&, const HttpHeader&) = default;
};

struct CheckedRequest {
  HttpUrl url;
  std::string method;               // upper case
  std::vector<HttpHeader> headers;  // as given, values trimmed; none of those that the host sets
};

inline constexpr std::size_t kMaxRequestHeaderBytes = std::size_t{64} << 10;

// Header names that only the host may set: they frame or route the request.
bool is_host_header(std::string_view name);

// A method as grants and requests compare them: upper case. None when it is not an HTTP token, or
// is CONNECT or TRACE, which nobody is granted.
std::optional<std::string> canonical_method(std::string_view method);

// `method`: none means GET. `body_bytes`: none when the request has no body.
Result<CheckedRequest, Refusal> decide_network(const Authority& authority, std::string_view url,
                                               std::optional<std::string_view> method,
                                               const std::vector<HttpHeader>& headers,
                                               std::optional<std::uint64_t> body_bytes);

}  // namespace cordon

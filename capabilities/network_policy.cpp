#include "capabilities/network_policy.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/predicate.hpp>
#include <iterator>
#include <locale>

#include "capabilities/refusal.h"
#include "capabilities/shown_text.h"

namespace cordon {

namespace {

bool is_token(std::string_view text) {
  const auto is_token_char = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

std::string_view trimmed(std::string_view value) {
  const std::size_t first = value.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return value.substr(first, value.find_last_not_of(" \t") - first + 1);
}

// Printable ASCII and tabs: no CR, LF or NUL, and nothing whose encoding two servers could read
// differently.
bool is_header_value(std::string_view value) {
  return std::all_of(value.begin(), value.end(),
                     [](char c) { return c == '\t' || (c >= 0x20 && c < 0x7F); });
}

Refusal refusal(std::string message, std::string reason) {
  return {.capability = "network", .message = std::move(message), .reason = std::move(reason)};
}

Refusal bad_url(const UrlProblem& problem) {
  if (problem.origin)
    return refusal("Network access to " + shown(problem.origin->text()) +
                       " is not granted: the URL is refused because " + problem.text,
                   "the URL is refused: " + problem.text);
  return refusal("Network request is not granted: invalid URL: " + problem.text +
                     " (only absolute http and https URLs can be granted)",
                 "invalid URL: " + problem.text);
}

Refusal origin_not_granted(const Origin& origin) {
  const std::string text = shown(origin.text());
  return refusal("Network access to " + text +
                     " is not granted: add it to `network.origins` (--allow-net=" + text + ")",
                 "origin is not in network.origins");
}

Refusal bad_request(const Origin& origin, const std::string& rule) {
  return refusal("Network request to " + shown(origin.text()) + " is not granted: " + rule, rule);
}

Refusal method_not_granted(const Origin& origin, std::string_view method,
                           const std::optional<std::string>& canonical) {
  if (!canonical) return bad_request(origin, "its method is not one that can be granted");
  return refusal("Network method " + shown(method) + " is not granted for " + shown(origin.text()) +
                     ": add it to `network.methods` (--allow-methods=" + shown(*canonical) + ")",
                 "method is not in network.methods");
}

// Why these headers are refused, if they are.
std::optional<std::string> header_problem(const std::vector<HttpHeader>& headers) {
  std::size_t bytes = 0;
  for (const HttpHeader& header : headers) {
    // Each costs a line's overhead, so that empty ones count as well.
    bytes += header.name.size() + header.value.size() + 4;
    if (bytes > kMaxRequestHeaderBytes) return "its headers are too large";
    if (!is_token(header.name)) return "a header's name is not an HTTP token";
    if (is_host_header(header.name)) return "it sets a header that only the host may set";
    if (!is_header_value(header.value))
      return "a header's value holds a line break, control or non-ASCII character";
  }
  return std::nullopt;
}

}  // namespace

bool is_host_header(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "host", "content-length", "transfer-encoding", "connection", "upgrade", "expect",
      "te",   "trailer",        "keep-alive",
  };
  const std::locale& classic = std::locale::classic();
  return boost::algorithm::istarts_with(name, "proxy-", classic) ||
         std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view host_name) {
           return boost::algorithm::iequals(name, host_name, classic);
         });
}

std::optional<std::string> canonical_method(std::string_view method) {
  if (!is_token(method)) return std::nullopt;
  std::string upper(method);
  boost::algorithm::to_upper(upper, std::locale::classic());
  if (upper == "CONNECT" || upper == "TRACE") return std::nullopt;
  return upper;
}

Result<CheckedRequest, Refusal> decide_network(const Authority& authority, std::string_view url,
                                               std::optional<std::string_view> method,
                                               const std::vector<HttpHeader>& headers,
                                               std::optional<std::uint64_t> body_bytes) {
  auto parsed = parse_http_url(url);
  if (!parsed) return bad_url(parsed.error());
  const Origin& origin = parsed->origin;
  const NetworkAuthority* network = authority.network();
  if (network == nullptr || !network->grants_origin(origin)) return origin_not_granted(origin);

  const std::string_view asked_method = method.value_or("GET");
  const auto canonical = canonical_method(asked_method);
  if (!canonical || !network->grants_method(*canonical))
    return method_not_granted(origin, asked_method, canonical);
  if (const auto problem = header_problem(headers)) return bad_request(origin, *problem);
  // A server that ignores such a body would take it for the next request, whatever its method.
  if (body_bytes && (*canonical == "GET" || *canonical == "HEAD"))
    return bad_request(origin, "a GET or HEAD request has no body");
  if (const auto limit = authority.resources().max_network_bytes; body_bytes.value_or(0) > limit)
    return byte_limit_refusal("Network request to " + shown(origin.text()), limit,
                              "resources.maxNetworkBytes");

  CheckedRequest request{.url = std::move(*parsed), .method = *canonical, .headers = headers};
  for (HttpHeader& header : request.headers) header.value = trimmed(header.value);
  return request;
}

}  // namespace cordon

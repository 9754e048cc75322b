#include "capabilities/origin.h"

#include <algorithm>
#include <array>
#include <boost/url/authority_view.hpp>
#include <boost/url/ipv4_address.hpp>
#include <boost/url/ipv6_address.hpp>
#include <boost/url/parse.hpp>
#include <charconv>
#include <utility>
#include <vector>

#include "capabilities/utf8.h"

namespace cordon {

namespace {

constexpr std::size_t kMaxHostBytes = 253;
constexpr std::size_t kMaxLabelBytes = 63;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return lower(c); });
  return out;
}

std::uint16_t default_port(std::string_view scheme) noexcept {
  return scheme == "https" ? 443 : 80;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    parts.push_back(text.substr(at, end - at));
    if (end == std::string_view::npos) return parts;
    at = end + 1;
  }
}

// ---------------------------------------------------------------- host and port

// Anything that ends like a number is an address to some parser.
bool ends_in_number(std::string_view last_label) {
  return std::all_of(last_label.begin(), last_label.end(), is_digit) ||
         last_label.starts_with("0x");
}

bool is_dns_name(std::string_view host) {
  if (host.size() > kMaxHostBytes) return false;
  const auto labels = split(host, '.');
  const auto good_char = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  };
  const bool good_labels = std::all_of(labels.begin(), labels.end(), [&](std::string_view label) {
    return !label.empty() && label.size() <= kMaxLabelBytes &&
           std::all_of(label.begin(), label.end(), good_char);
  });
  return good_labels && !ends_in_number(labels.back());
}

struct Host {
  std::string text;
  Origin::HostKind kind;
};

// `host` as in the URL: an IPv6 address has its brackets.
std::optional<Host> canonical_host(std::string_view host) {
  namespace urls = boost::urls;
  if (host.starts_with('[')) {
    // A zone, which Boost.URL lets pass elsewhere, is not part of an address.
    const auto address = urls::parse_ipv6_address(host.substr(1, host.size() - 2));
    if (!host.ends_with(']') || !address) return std::nullopt;
    return Host{address->to_string(), Origin::HostKind::kIpv6};
  }
  if (const auto address = urls::parse_ipv4_address(host))
    return Host{address->to_string(), Origin::HostKind::kIpv4};
  std::string name = lower(host);
  if (!is_dns_name(name)) return std::nullopt;
  return Host{std::move(name), Origin::HostKind::kName};
}

std::optional<std::uint16_t> port_number(std::string_view digits) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (port == 0 || digits.front() == '0') return std::nullopt;
  return port;
}

UrlProblem problem(std::string_view text) { return {text, std::nullopt}; }

Result<Origin, UrlProblem> parse_authority(std::string_view scheme, std::string_view text) {
  const auto authority = boost::urls::parse_authority(text);
  if (!authority) return problem("its host or port is malformed");
  auto host = canonical_host(authority->encoded_host());
  if (!host) return problem("its host is neither a plain ASCII name nor an exact IP address");
  Origin origin{.scheme = std::string(scheme),
                .host = std::move(host->text),
                .host_kind = host->kind,
                .port = default_port(scheme)};
  if (authority->has_port()) {
    const auto port = port_number(authority->port());
    if (!port) return problem("its port is not from 1 to 65535");
    origin.port = *port;
  }
  if (authority->has_userinfo())
    return UrlProblem("it holds a user name or password", std::move(origin));
  return origin;
}

// ---------------------------------------------------------------- path and query

void append_encoded(std::string& out, std::string_view text, std::string_view also_encoded) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && also_encoded.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += {'%', kHex[byte >> 4], kHex[byte & 0xF]};
    }
  }
}

bool is_dot(std::string_view segment) { return segment == "." || lower(segment) == "%2e"; }

bool is_double_dot(std::string_view segment) {
  const std::string text = lower(segment);
  return text == ".." || text == ".%2e" || text == "%2e." || text == "%2e%2e";
}

// `path` is empty or begins with a slash.
std::string resolve_dot_segments(std::string_view path) {
  if (path.empty()) return "/";
  std::vector<std::string_view> kept;
  const auto segments = split(path.substr(1), '/');
  for (std::size_t at = 0; at < segments.size(); ++at) {
    const bool last = at + 1 == segments.size();
    if (is_double_dot(segments[at])) {
      if (!kept.empty()) kept.pop_back();
      if (last) kept.emplace_back();
    } else if (is_dot(segments[at])) {
      if (last) kept.emplace_back();
    } else {
      kept.push_back(segments[at]);
    }
  }
  std::string out;
  for (const std::string_view segment : kept) out.append("/").append(segment);
  return out;
}

std::string request_target(std::string_view path_and_query) {
  const std::size_t mark = path_and_query.find('?');
  std::string target;
  append_encoded(target, resolve_dot_segments(path_and_query.substr(0, mark)), "\"#<>^`{}");
  if (mark != std::string_view::npos) {
    target += '?';
    append_encoded(target, path_and_query.substr(mark + 1), "\"#<>'");
  }
  return target;
}

// ---------------------------------------------------------------- the whole

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

// Cuts "scheme://" off.
Result<std::string, UrlProblem> take_scheme(std::string_view& url) {
  const std::size_t colon = url.find(':');
  const std::string scheme = lower(url.substr(0, colon));
  if (colon == std::string_view::npos || (scheme != "http" && scheme != "https"))
    return problem("its scheme is not http or https");
  url.remove_prefix(colon + 1);
  if (!url.starts_with("//")) return problem("it has no host");
  url.remove_prefix(2);
  return scheme;
}

}  // namespace

std::string Origin::authority() const {
  std::string out = host_kind == HostKind::kIpv6 ? "[" + host + "]" : host;
  if (port != default_port(scheme)) out += ":" + std::to_string(port);
  return out;
}

std::string Origin::text() const { return scheme + "://" + authority(); }

Result<HttpUrl, UrlProblem> parse_http_url(std::string_view url) {
  if (url.size() > kMaxUrlBytes) return problem("it is too long");
  if (!is_valid_utf8(url)) return problem("it is not well-formed text");
  if (has_control_character(url)) return problem("it holds a control character");
  url = url.substr(0, url.find('#'));
  const auto scheme = take_scheme(url);
  if (!scheme) return scheme.error();
  // Some parsers end the host at a backslash, some read it as a slash.
  if (url.substr(0, url.find('?')).find('\\') != std::string_view::npos)
    return problem("it holds a backslash");
  const std::size_t end = std::min(url.find_first_of("/?"), url.size());
  auto origin = parse_authority(*scheme, url.substr(0, end));
  if (!origin) return origin.error();
  return HttpUrl{std::move(*origin), request_target(url.substr(end))};
}

Result<Origin, UrlProblem> parse_origin(std::string_view text) {
  constexpr std::string_view kForm = "; write it as https://host or https://host:port";
  const auto wrong = [&](std::string what) { return problem(what.append(kForm)); };
  if (text.size() > kMaxUrlBytes || has_control_character(text)) return wrong("is malformed");
  if (text.find('*') != std::string_view::npos) return wrong("must not be a wildcard");
  const auto scheme = take_scheme(text);
  if (!scheme) return wrong("must be an http or https origin");
  if (text.find_first_of("/?#\\") != std::string_view::npos)
    return wrong("must not have a path, query or fragment");
  auto origin = parse_authority(*scheme, text);
  if (!origin) return wrong("is no origin: " + origin.error().text);
  return std::move(*origin);
}

}  // namespace cordon

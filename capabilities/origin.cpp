#include "capabilities/origin.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "capabilities/canonical_host.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

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

// ---------------------------------------------------------------- port

std::optional<std::uint16_t> port_number(std::string_view digits) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (port == 0 || digits.front() == '0') return std::nullopt;
  return port;
}

UrlProblem problem(std::string_view text) { return {text, std::nullopt}; }

// Where the host ends and a colon and the port begin, if there is one. A colon in brackets is no
// end.
std::size_t end_of_host(std::string_view host_and_port) {
  const std::size_t bracket = host_and_port.starts_with('[') ? host_and_port.find(']') : 0;
  return std::min(host_and_port.find(':', std::min(bracket, host_and_port.size())),
                  host_and_port.size());
}

Result<Origin, UrlProblem> parse_authority(std::string_view scheme, std::string_view text) {
  // As in the URL standard, the last one ends the user information.
  const std::size_t at = text.rfind('@');
  const std::string_view host_and_port = at == std::string_view::npos ? text : text.substr(at + 1);
  const std::size_t end = end_of_host(host_and_port);
  auto host = canonical_host(host_and_port.substr(0, end));
  if (!host) return problem("its host is neither a plain ASCII name nor an exact IP address");
  Origin origin{.scheme = std::string(scheme),
                .host = std::move(host->text),
                .host_kind = host->kind,
                .port = default_port(scheme)};
  if (end != host_and_port.size()) {
    const auto port = port_number(host_and_port.substr(end + 1));
    if (!port) return problem("its port is not from 1 to 65535");
    origin.port = *port;
  }
  if (at != std::string_view::npos)
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
  // The URL standard drops these, others encode them.
  if (url.starts_with(' ') || url.ends_with(' ')) return problem("it begins or ends with a space");
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

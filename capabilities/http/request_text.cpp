#include "capabilities/http/request_text.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <locale>

namespace cordon {

namespace {

bool same_name(std::string_view left, std::string_view right) {
  return boost::algorithm::iequals(left, right, std::locale::classic());
}

void append_header(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

std::string request_text(const CheckedRequest& request, std::optional<std::string_view> body) {
  const auto has = [&](std::string_view name) {
    return std::any_of(request.headers.begin(), request.headers.end(),
                       [&](const HttpHeader& header) { return same_name(header.name, name); });
  };
  // Servers may insist on a length from methods that usually have a body.
  const bool says_length = body || request.method == "POST" || request.method == "PUT";

  std::string text = request.method + " " + request.url.target + " HTTP/1.1\r\n";
  append_header(text, "Host", request.url.origin.authority());
  append_header(text, "Connection", "keep-alive");
  append_header(text, "Accept-Encoding", "identity");
  if (!has("user-agent")) append_header(text, "User-Agent", "cordon/" CORDON_VERSION);
  if (says_length) append_header(text, "Content-Length", std::to_string(body ? body->size() : 0));
  if (body && !has("content-type")) append_header(text, "Content-Type", "text/plain;charset=UTF-8");
  for (const auto& [name, value] : request.headers) {
    if (!same_name(name, "accept-encoding")) append_header(text, name, value);
  }
  text += "\r\n";
  if (body) text += *body;
  return text;
}

}  // namespace cordon

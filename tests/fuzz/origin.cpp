// URLs and origins: what is accepted is in canonical form, means the same when it is read again,
// and can hold nothing that would change the request that is made from it.

#include <algorithm>

#include "capabilities/network_policy.h"
#include "capabilities/origin.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

namespace {

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

void check(const Origin& origin) {
  fuzz::require(origin.scheme == "http" || origin.scheme == "https", "a scheme");
  fuzz::require(origin.port != 0 && !origin.host.empty(), "an origin without host or port");
  fuzz::require(is_printable(origin.host), "a host that is not plain text");
  fuzz::require(origin.host.find_first_of("/\\@?#%[] ") == std::string::npos,
                "a host's characters");
  const auto again = parse_origin(origin.text());
  fuzz::require(again.has_value() && *again == origin, "an origin's text is another origin");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::as_text(data, size);
  if (const auto origin = parse_origin(text)) check(*origin);
  if (const auto url = parse_http_url(text)) {
    check(url->origin);
    fuzz::require(url->target.starts_with('/') && is_printable(url->target), "a request target");
    fuzz::require(url->target.find('#') == std::string::npos, "a fragment that is sent");
    const std::string path = url->target.substr(0, url->target.find('?')) + '/';
    fuzz::require(path.find("/../") == std::string::npos && path.find("/./") == std::string::npos,
                  "dot segments");
    const auto again = parse_http_url(url->origin.text() + url->target);
    fuzz::require(again.has_value() && again->origin == url->origin && again->target == url->target,
                  "a parsed URL reads differently the second time");
  }
  if (const auto method = canonical_method(text)) {
    fuzz::require(is_printable(*method), "a method");
  }
  return 0;
}

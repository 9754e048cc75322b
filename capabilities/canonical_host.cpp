#include "capabilities/canonical_host.h"

#include <unicode/uidna.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/url/ipv4_address.hpp>
#include <boost/url/ipv6_address.hpp>
#include <charconv>
#include <locale>
#include <memory>
#include <utility>
#include <vector>

namespace cordon {

namespace {

constexpr std::size_t kMaxHostBytes = 253;
constexpr std::size_t kMaxLabelBytes = 63;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// ---------------------------------------------------------------- names

// Anything that ends like a number is an address to some parser.
bool ends_in_number(std::string_view last_label) {
  return std::all_of(last_label.begin(), last_label.end(), is_digit) ||
         last_label.starts_with("0x");
}

bool is_label(std::string_view label) {
  const auto good_char = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  };
  return !label.empty() && label.size() <= kMaxLabelBytes &&
         std::all_of(label.begin(), label.end(), good_char);
}

// Whether the international labels ("xn--…") of a name stand for something that may be in a name,
// and are spelled as the URL standard spells it.
bool is_international_name(const std::string& name) {
  constexpr std::uint32_t kOptions = UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                                     UIDNA_NONTRANSITIONAL_TO_ASCII |
                                     UIDNA_NONTRANSITIONAL_TO_UNICODE;
  // Hyphens may be anywhere, and lengths are looked at elsewhere.
  constexpr std::uint32_t kNoErrors = UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN |
                                      UIDNA_ERROR_HYPHEN_3_4 | UIDNA_ERROR_EMPTY_LABEL |
                                      UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG;
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UIDNA, decltype(&uidna_close)> rules(uidna_openUTS46(kOptions, &status),
                                                             &uidna_close);
  if (U_FAILURE(status)) return false;
  std::array<char, kMaxHostBytes + 1> out;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  const std::int32_t size =
      uidna_nameToASCII_UTF8(rules.get(), name.data(), static_cast<std::int32_t>(name.size()),
                             out.data(), static_cast<std::int32_t>(out.size()), &info, &status);
  return U_SUCCESS(status) && (info.errors & ~kNoErrors) == 0 &&
         name == std::string_view(out.data(), static_cast<std::size_t>(size));
}

bool is_dns_name(const std::string& name) {
  if (name.size() > kMaxHostBytes) return false;
  std::vector<std::string> labels;
  boost::split(labels, name, boost::is_any_of("."));
  if (!std::all_of(labels.begin(), labels.end(), is_label) || ends_in_number(labels.back()))
    return false;
  const bool international = std::any_of(labels.begin(), labels.end(), [](std::string_view label) {
    return label.starts_with("xn--");
  });
  return !international || is_international_name(name);
}

// ---------------------------------------------------------------- addresses

// The longest run of two zero groups or more, the first of equals; empty when there is none.
std::pair<std::size_t, std::size_t> zero_run(const std::array<unsigned, 8>& groups) {
  std::pair<std::size_t, std::size_t> best{0, 0};
  for (std::size_t at = 0; at < groups.size();) {
    std::size_t end = at;
    while (end < groups.size() && groups[end] == 0) ++end;
    if (end - at >= 2 && end - at > best.second - best.first) best = {at, end};
    at = std::max(end, at + 1);
  }
  return best;
}

// As the URL standard writes it; Boost.URL also shortens a single zero, and mixes in decimals.
std::string ipv6_text(const boost::urls::ipv6_address& address) {
  const auto bytes = address.to_bytes();
  std::array<unsigned, 8> groups;
  for (std::size_t at = 0; at < groups.size(); ++at)
    groups[at] = (static_cast<unsigned>(bytes[2 * at]) << 8U) | bytes[2 * at + 1];
  const auto [first, end] = zero_run(groups);
  std::string text;
  for (std::size_t at = 0; at < groups.size(); ++at) {
    if (at == first && first != end) {
      text += "::";
      at = end - 1;
      continue;
    }
    if (!text.empty() && !text.ends_with(':')) text += ':';
    std::array<char, 4> digits;
    const auto written =
        std::to_chars(digits.data(), digits.data() + digits.size(), groups[at], 16);
    text.append(digits.data(), written.ptr);
  }
  return text;
}

}  // namespace

std::optional<CanonicalHost> canonical_host(std::string_view host) {
  namespace urls = boost::urls;
  if (host.starts_with('[')) {
    // A zone, which Boost.URL lets pass elsewhere, is not part of an address.
    const auto address = urls::parse_ipv6_address(host.substr(1, host.size() - 2));
    if (!host.ends_with(']') || !address) return std::nullopt;
    return CanonicalHost{ipv6_text(*address), Origin::HostKind::kIpv6};
  }
  if (const auto address = urls::parse_ipv4_address(host))
    return CanonicalHost{address->to_string(), Origin::HostKind::kIpv4};
  std::string name = boost::to_lower_copy(std::string(host), std::locale::classic());
  if (!is_dns_name(name)) return std::nullopt;
  return CanonicalHost{std::move(name), Origin::HostKind::kName};
}

}  // namespace cordon

#include "audit/redaction.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "audit/visible_text.h"

namespace cordon {

namespace {

constexpr std::string_view kPlaceholder = "[redacted]";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
// Three encodings, and one more for a secret that looks encoded to begin with.
constexpr std::size_t kPercentLevels = 4;
// The longest form of one needle: each level makes three bytes of one. At the cut of an overlong
// input an occurrence may be incomplete, hence unseen, over this length.
constexpr std::size_t kLongestMatch = Needle::kMaxUnits * 81;

using Units = std::vector<std::string>;

std::string either_case(char c) {
  if (c >= 'a' && c <= 'z') return {c, static_cast<char>(c - 'a' + 'A')};
  if (c >= 'A' && c <= 'Z') return {c, static_cast<char>(c - 'A' + 'a')};
  return {c};
}

Units plain_units(std::string_view secret) {
  Units units;
  for (const char c : secret) units.push_back(c == ' ' ? " +" : either_case(c));
  return units;
}

Units hex_units(std::string_view secret) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  Units units;
  for (const char c : secret) {
    const auto byte = static_cast<unsigned char>(c);
    units.push_back(either_case(kDigits[byte >> 4]));
    units.push_back(either_case(kDigits[byte & 15]));
  }
  return units;
}

// The spellings of one digit in base64 and base64url, where `+` may have become a space.
std::string base64_spellings(std::size_t value) {
  if (value == 62) return "+- ";
  if (value == 63) return "/_";
  return either_case(kBase64[value]);
}

// Every digit that holds a bit of the secret, when `before` bytes precede it in the encoded text. A
// digit that it shares with a neighbour accepts whatever the neighbour may be.
Units base64_units(std::string_view secret, std::size_t before) {
  const std::size_t first_bit = before * 8;
  const std::size_t end_bit = first_bit + secret.size() * 8;
  Units units;
  for (std::size_t digit = first_bit / 6; digit * 6 < end_bit; ++digit) {
    std::size_t known = 0;
    std::size_t bits = 0;
    for (std::size_t bit = digit * 6; bit < digit * 6 + 6; ++bit) {
      known <<= 1;
      bits <<= 1;
      if (bit < first_bit || bit >= end_bit) continue;
      const auto byte = static_cast<unsigned char>(secret[(bit - first_bit) / 8]);
      known |= 1;
      bits |= (byte >> (7 - bit % 8)) & 1u;
    }
    std::string accepted;
    for (std::size_t value = 0; value < kBase64.size(); ++value) {
      if ((value & known) == bits) accepted += base64_spellings(value);
    }
    units.push_back(accepted);
  }
  return units;
}

// `secret` without any escape, however often that takes.
std::string fully_decoded(const std::string& secret) {
  SearchText form(secret);
  while (form.has_escapes()) form = form.percent_decoded();
  return form.text();
}

}  // namespace

Redactor::Redactor(const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (secret.size() < kMinSecretBytes) {
      throw std::invalid_argument("a secret of under 4 bytes cannot be redacted");
    }
    add(plain_units(secret));
    // Decoding a text also decodes what only looks like an escape within the secret.
    const std::string decoded = fully_decoded(secret);
    if (decoded != secret && decoded.size() >= kMinSecretBytes) add(plain_units(decoded));
    add(hex_units(secret));
    for (std::size_t before = 0; before < 3; ++before) add(base64_units(secret, before));
  }
}

void Redactor::add(const Units& units) {
  const std::span<const std::string> all(units);
  std::size_t start = 0;
  for (; start + Needle::kMaxUnits < all.size(); start += Needle::kMaxUnits) {
    needles_.emplace_back(all.subspan(start, Needle::kMaxUnits));
  }
  // The last piece is as long as the others where it can be: a short one would match by chance.
  needles_.emplace_back(all.last(std::min(all.size(), Needle::kMaxUnits)));
}

std::string Redactor::text(std::string_view text) const {
  const bool cut = text.size() > kMaxInputBytes;
  const std::string_view seen = text.substr(0, kMaxInputBytes);
  HiddenRanges hidden(seen.size());
  if (!needles_.empty()) {
    std::vector<std::uint64_t> states;
    SearchText form(seen);
    // Needles undo one percent-encoding themselves.
    for (std::size_t level = 1;; ++level) {
      for (const Needle& needle : needles_) needle.hide_in(form, hidden, states);
      if (level == kPercentLevels || !form.has_escapes()) break;
      form = form.percent_decoded();
    }
  }
  std::string shown =
      hidden.apply(seen, cut ? seen.size() - kLongestMatch : seen.size(), kPlaceholder);
  if (cut) shown += "…";
  return visible_text(shown);
}

}  // namespace cordon

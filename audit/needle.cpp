#include "audit/needle.h"

#include <algorithm>

namespace cordon {

namespace {

constexpr std::size_t kEscapeBytes = 3;

int hex_digit(unsigned char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

SearchText::SearchText(std::string_view source) : bytes_(source), origins_(source.size() + 1) {
  for (std::size_t i = 0; i < origins_.size(); ++i) origins_[i] = i;
  find_escapes();
}

void SearchText::find_escapes() {
  escapes_.assign(bytes_.size(), -1);
  for (std::size_t i = 0; i + kEscapeBytes <= bytes_.size(); ++i) {
    if (bytes_[i] != '%') continue;
    const int high = hex_digit(byte(i + 1));
    const int low = hex_digit(byte(i + 2));
    if (high >= 0 && low >= 0) escapes_[i] = static_cast<std::int16_t>(high * 16 + low);
  }
}

bool SearchText::has_escapes() const noexcept {
  return std::any_of(escapes_.begin(), escapes_.end(), [](int value) { return value >= 0; });
}

SearchText SearchText::percent_decoded() const {
  SearchText decoded;
  for (std::size_t i = 0; i < size();) {
    const int value = escape(i);
    decoded.bytes_ += value >= 0 ? static_cast<char>(value) : bytes_[i];
    decoded.origins_.push_back(origin(i));
    i += value >= 0 ? kEscapeBytes : 1;
  }
  decoded.origins_.push_back(origin(size()));
  decoded.find_escapes();
  return decoded;
}

void HiddenRanges::hide(std::size_t begin, std::size_t end) noexcept {
  ++edges_[begin];
  --edges_[end];
}

std::string HiddenRanges::apply(std::string_view text, std::size_t limit,
                                std::string_view placeholder) const {
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < std::min(limit, text.size()); ++i) {
    const bool was_hidden = depth > 0;
    depth += edges_[i];
    if (depth == 0) {
      out += text[i];
    } else if (!was_hidden) {
      out += placeholder;
    }
  }
  return out;
}

Needle::Needle(std::span<const std::string> units) : length_(units.size()) {
  std::uint64_t bit = 1;
  for (const std::string& unit : units) {
    for (const char c : unit) accepts_[static_cast<unsigned char>(c)] |= bit;
    bit <<= 1;
  }
}

void Needle::hide_in(const SearchText& text, HiddenRanges& hidden,
                     std::vector<std::uint64_t>& states) const {
  // Bit u of states[i]: units 0 to u match some stretch of text that ends right before i.
  states.assign(text.size() + 1, 0);
  const std::uint64_t last_unit = std::uint64_t{1} << (length_ - 1);
  for (std::size_t end = 1; end <= text.size(); ++end) {
    std::uint64_t state = step(states[end - 1], text.byte(end - 1));
    if (end >= kEscapeBytes) {
      const std::size_t start = end - kEscapeBytes;
      if (const int value = text.escape(start); value >= 0) {
        state |= step(states[start], static_cast<unsigned>(value));
      }
    }
    states[end] = state;
    if ((state & last_unit) != 0) {
      hidden.hide(text.origin(start_of_match(text, states, end)), text.origin(end));
    }
  }
}

std::size_t Needle::start_of_match(const SearchText& text, const std::vector<std::uint64_t>& states,
                                   std::size_t end) const noexcept {
  for (std::size_t unit = length_; unit-- > 0;) {
    const std::uint64_t bit = std::uint64_t{1} << unit;
    // A byte may end both an escape and itself ("%34" and "4"): the longer one hides more.
    const int value = end >= kEscapeBytes ? text.escape(end - kEscapeBytes) : -1;
    const bool escaped =
        value >= 0 && (step(states[end - kEscapeBytes], static_cast<unsigned>(value)) & bit) != 0;
    end -= escaped ? kEscapeBytes : 1;
  }
  return end;
}

}  // namespace cordon

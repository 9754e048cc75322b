#pragma once
// Search for a pattern in text in which any character may be percent-encoded.
//
// A pattern is a row of at most 64 units, each a set of bytes that it accepts. A unit is met by
// such a byte as it stands or by its `%hh` form, in any mix along the pattern. The search is a
// bit-parallel automaton (shift-and): its time is the text's length, whatever the text holds.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

// Text that remembers where in the source each of its bytes came from.
class SearchText {
 public:
  explicit SearchText(std::string_view source);

  // The same text with every `%hh` replaced by its byte, once.
  SearchText percent_decoded() const;
  bool has_escapes() const noexcept;

  const std::string& text() const noexcept { return bytes_; }
  std::size_t size() const noexcept { return bytes_.size(); }
  unsigned char byte(std::size_t i) const noexcept { return static_cast<unsigned char>(bytes_[i]); }
  // The byte that a `%hh` starting at `i` stands for, or -1.
  int escape(std::size_t i) const noexcept { return escapes_[i]; }
  // Where byte `i` begins in the source; for i == size(), where the source ends.
  std::size_t origin(std::size_t i) const noexcept { return origins_[i]; }

 private:
  SearchText() = default;
  void find_escapes();

  std::string bytes_;
  std::vector<std::size_t> origins_;
  std::vector<std::int16_t> escapes_;
};

// Ranges of a text that must not be shown.
class HiddenRanges {
 public:
  explicit HiddenRanges(std::size_t text_size) : edges_(text_size + 1) {}
  void hide(std::size_t begin, std::size_t end) noexcept;
  // Shows the first `limit` bytes of `text`, with `placeholder` for each run of hidden bytes.
  std::string apply(std::string_view text, std::size_t limit, std::string_view placeholder) const;

 private:
  std::vector<int> edges_;  // +1 where a range begins, -1 where one ends
};

class Needle {
 public:
  static constexpr std::size_t kMaxUnits = 64;

  // Each unit lists the bytes that it accepts. 1 to kMaxUnits units.
  explicit Needle(std::span<const std::string> units);

  // Hides every occurrence. `states` is scratch memory, for use by many searches.
  void hide_in(const SearchText& text, HiddenRanges& hidden,
               std::vector<std::uint64_t>& states) const;

 private:
  std::uint64_t step(std::uint64_t state, unsigned byte) const noexcept {
    return (state << 1 | 1) & accepts_[byte];
  }
  std::size_t start_of_match(const SearchText& text, const std::vector<std::uint64_t>& states,
                             std::size_t end) const noexcept;

  std::array<std::uint64_t, 256> accepts_{};  // bit u: unit u accepts this byte
  std::size_t length_;
};

}  // namespace cordon

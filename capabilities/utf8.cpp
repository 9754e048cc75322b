#include "capabilities/utf8.h"

#include <cstdint>
#include <cstring>

#include "messages/utf8.h"

namespace cordon {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Most text is ASCII: skip it eight bytes at a time.
std::size_t ascii_prefix(std::string_view bytes) noexcept {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t at = 0;
  for (; bytes.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

}  // namespace

Utf8Sequence first_utf8_sequence(std::string_view bytes) noexcept {
  const Utf8Step step = decode_utf8(bytes);
  return {step.length, step.valid};
}

bool is_valid_utf8(std::string_view bytes) noexcept {
  for (bytes.remove_prefix(ascii_prefix(bytes)); !bytes.empty();
       bytes.remove_prefix(ascii_prefix(bytes))) {
    const Utf8Sequence sequence = first_utf8_sequence(bytes);
    if (!sequence.well_formed) return false;
    bytes.remove_prefix(sequence.length);
  }
  return true;
}

std::size_t count_characters(std::string_view bytes) noexcept {
  std::size_t count = 0;
  for (; !bytes.empty(); ++count) bytes.remove_prefix(first_utf8_sequence(bytes).length);
  return count;
}

std::string to_well_formed_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    if (const std::size_t ascii = ascii_prefix(bytes); ascii != 0) {
      text.append(bytes.substr(0, ascii));
      bytes.remove_prefix(ascii);
      continue;
    }
    const Utf8Sequence sequence = first_utf8_sequence(bytes);
    text.append(sequence.well_formed ? bytes.substr(0, sequence.length) : kReplacement);
    bytes.remove_prefix(sequence.length);
  }
  return text;
}

std::string decode_text(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  return to_well_formed_utf8(bytes);
}

}  // namespace cordon

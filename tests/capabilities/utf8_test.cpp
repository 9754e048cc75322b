#include "capabilities/utf8.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>

#include "capabilities/shown_text.h"

namespace cordon {
namespace {

// The decoder of the WHATWG Encoding Standard, state machine and all, as an independent reference.
std::string reference_decode(std::string_view bytes) {
  std::string out;
  std::string pending;
  int needed = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  const auto reset = [&] {
    needed = 0;
    low = 0x80;
    high = 0xBF;
    pending.clear();
  };
  for (std::size_t at = 0; at < bytes.size();) {
    const unsigned byte = static_cast<unsigned char>(bytes[at]);
    if (needed == 0) {
      ++at;
      if (byte <= 0x7F) {
        out += bytes[at - 1];
      } else if (byte >= 0xC2 && byte <= 0xF4) {
        needed = byte <= 0xDF ? 1 : byte <= 0xEF ? 2 : 3;
        if (byte == 0xE0) low = 0xA0;
        if (byte == 0xED) high = 0x9F;
        if (byte == 0xF0) low = 0x90;
        if (byte == 0xF4) high = 0x8F;
        pending = bytes[at - 1];
      } else {
        out += "\xEF\xBF\xBD";
      }
      continue;
    }
    if (byte < low || byte > high) {  // the byte is looked at again
      out += "\xEF\xBF\xBD";
      reset();
      continue;
    }
    low = 0x80;
    high = 0xBF;
    pending += bytes[at++];
    if (--needed == 0) {
      out += pending;
      reset();
    }
  }
  if (needed != 0) out += "\xEF\xBF\xBD";
  return out;
}

TEST_CASE("well-formed text is valid and kept as it is") {
  for (const std::string_view text :
       {"", "plain", "caf\u00e9", "\u20ac", "\U0001F600", "\x7f", "\u07ff\u0800\uffff\U0010ffff",
        "eight bytes and then \u00e9 and eight more bytes"}) {
    CHECK(is_valid_utf8(text));
    CHECK(to_well_formed_utf8(text) == text);
  }
}

TEST_CASE("each maximal ill-formed part becomes one replacement character") {
  const auto decoded = [](std::string_view bytes) {
    CHECK_FALSE(is_valid_utf8(bytes));
    return decode_text(bytes);
  };
  CHECK(decoded("\xff") == "\uFFFD");
  CHECK(decoded("a\x80z") == "a\uFFFDz");
  CHECK(decoded("\xc0\xaf") == "\uFFFD\uFFFD");            // overlong
  CHECK(decoded("\xe2\x82z") == "\uFFFDz");                // cut short: one
  CHECK(decoded("\xe2\x82") == "\uFFFD");                  // cut short at the end
  CHECK(decoded("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");  // surrogate
  CHECK(decoded("\xf0\x9f\x98") == "\uFFFD");
  CHECK(decoded("\xf4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond U+10FFFF
  CHECK(decoded("12345678\xf8 2345678") == "12345678\uFFFD 2345678");
}

TEST_CASE("decoding drops one byte-order mark, and only at the start") {
  CHECK(decode_text("\xef\xbb\xbfx") == "x");
  CHECK(decode_text("\xef\xbb\xbf\xef\xbb\xbfx") == "\uFEFFx");
  CHECK(decode_text("x\xef\xbb\xbf") == "x\uFEFF");
  CHECK(to_well_formed_utf8("\xef\xbb\xbfx") == "\uFEFFx");
}

TEST_CASE("any bytes decode as the standard's state machine does") {
  std::mt19937 random(7);
  // Bytes that matter at the edges of the table, so that long sequences come about.
  static constexpr unsigned char kBytes[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                             0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed,
                                             0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff, 0xbb};
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    for (std::size_t size = random() % 24; bytes.size() < size;)
      bytes += static_cast<char>(kBytes[random() % std::size(kBytes)]);
    const std::string expected = reference_decode(bytes);
    REQUIRE(to_well_formed_utf8(bytes) == expected);
    REQUIRE(is_valid_utf8(bytes) == (bytes == expected));
    REQUIRE(is_valid_utf8(expected));
    REQUIRE(count_characters(bytes) == count_characters(expected));
  }
}

TEST_CASE("characters are counted, not bytes") {
  CHECK(count_characters("") == 0);
  CHECK(count_characters("a\u00e9\u20ac\U0001F600") == 4);
}

TEST_CASE("shown names are short, harmless lines") {
  CHECK(shown("NAME") == "NAME");
  CHECK(shown("") == "\"\"");
  CHECK(shown("caf\u00e9") == "caf\u00e9");
  CHECK(shown("a\nb\x1b[2J") == "a\\u{a}b\\u{1b}[2J");
  CHECK(shown(std::string_view("a\0b", 3)) == "a\\u{0}b");
  CHECK(shown("x\u202egnp\u2028\u0085") == "x\\u{202e}gnp\\u{2028}\\u{85}");
  CHECK(shown("a\xff") == "a\uFFFD");
  CHECK(shown(std::string(200, 'x')) == std::string(200, 'x'));
  CHECK(shown(std::string(201, 'x')) == std::string(200, 'x') + "…");
}

}  // namespace
}  // namespace cordon

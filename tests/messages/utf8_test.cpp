#include "messages/utf8.h"

#include <catch2/catch.hpp>

#include <string>

namespace cordon {
namespace {

std::string encoded(char32_t code) {
  const auto tail = [code](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

void check_ill_formed(std::string_view text, std::size_t length) {
  const Utf8Step step = decode_utf8(text);
  CHECK_FALSE(step.valid);
  CHECK(step.code == U'\uFFFD');
  CHECK(step.length == length);
}

TEST_CASE("every character is decoded, and surrogates are not characters") {
  int wrong = 0;
  for (char32_t code = 0; code < 0x110000; ++code) {
    const std::string text = encoded(code) + "x";
    const Utf8Step step = decode_utf8(text);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    const bool right = surrogate
                           ? !step.valid && step.length == 1
                           : step.valid && step.code == code && step.length == text.size() - 1;
    wrong += right ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("an ill-formed sequence takes its longest sensible prefix") {
  check_ill_formed("\x80", 1);
  check_ill_formed("\xc0\x80", 1);
  check_ill_formed("\xc1\xbf", 1);
  check_ill_formed("\xc3", 1);
  check_ill_formed("\xc3(", 1);
  check_ill_formed("\xe0\x9f\xbf", 1);
  check_ill_formed("\xe2\x82", 2);
  check_ill_formed("\xe2\x82(", 2);
  check_ill_formed("\xf0\x8f\xbf\xbf", 1);
  check_ill_formed("\xf0\x9f\x98", 3);
  check_ill_formed("\xf4\x90\x80\x80", 1);
  check_ill_formed("\xf5\x80\x80\x80", 1);
  check_ill_formed("\xff", 1);
}

}  // namespace
}  // namespace cordon

#include "audit/visible_text.h"

#include <catch2/catch.hpp>

#include <random>

#include "messages/utf8.h"

namespace cordon {
namespace {

TEST_CASE("harmless text stays as it is") {
  CHECK(visible_text("") == "");
  CHECK(visible_text("/data/größe 😀.txt") == "/data/größe 😀.txt");
  CHECK(visible_text("back\\slash \"quote\"") == "back\\slash \"quote\"");
}

TEST_CASE("deceptive characters become visible") {
  CHECK(visible_text("a\r\nb") == "a\\u{d}\\u{a}b");
  CHECK(visible_text(std::string_view("\0", 1)) == "\\u{0}");
  CHECK(visible_text("\x1b]0;t\x07") == "\\u{1b}]0;t\\u{7}");
  CHECK(visible_text("\u202Egnp.exe\u2028\u0085\u061C\u200F") ==
        "\\u{202e}gnp.exe\\u{2028}\\u{85}\\u{61c}\\u{200f}");
}

TEST_CASE("ill-formed UTF-8 becomes U+FFFD, once per broken character") {
  CHECK(visible_text("a\xff"
                     "b") == "a\uFFFDb");
  CHECK(visible_text("\xe2\x80") == "\uFFFD");
  CHECK(visible_text("\xe2\x80"
                     "x") == "\uFFFDx");
  CHECK(visible_text("\xc0\xaf") == "\uFFFD\uFFFD");
  CHECK(visible_text("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");  // a lone surrogate
  CHECK(visible_text("\xf4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(visible_text("\xf0\x9f\x98") == "\uFFFD");
}

TEST_CASE("long text is cut between characters and says so") {
  CHECK(visible_text("0123456789abcdef", 16) == "0123456789abcdef");
  CHECK(visible_text("0123456789abcdefg", 16) == "0123456789abc…");
  CHECK(visible_text("0123456789ab😀defg", 16) == "0123456789ab…");
  CHECK(visible_text("0123456789\u202E0123", 16) == "0123456789…");
  CHECK(visible_text(std::string(100'000, 'x')).size() == kMaxFieldBytes);
}

TEST_CASE(
    "whatever the bytes, the text is well formed, capped, without deceptive characters, stable") {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> length(0, 200);
  std::uniform_int_distribution<int> pick(0, 15);
  const std::vector<std::string> parts = {"a",    "\\",   "\xe2", "\x80", "\xae", "\u2067",
                                          "\n",   "\x1b", "😀",    "\xed", "\xa0", "\xf0",
                                          "\x9f", "é",    "\xc2", "\x9f"};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = length(random); i > 0; --i) text += parts[static_cast<std::size_t>(pick(random))];
    const std::string shown = visible_text(text, 64);
    CHECK(shown.size() <= 64);
    CHECK(visible_text(shown, 64) == shown);
    for (std::string_view rest = shown; !rest.empty();) {
      const Utf8Step step = decode_utf8(rest);
      REQUIRE(step.valid);
      REQUIRE_FALSE(is_deceptive(step.code));
      rest.remove_prefix(step.length);
    }
  }
}

}  // namespace
}  // namespace cordon

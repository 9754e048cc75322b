#include "audit/redaction.h"

#include <openssl/evp.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "audit/visible_text.h"

namespace cordon {
namespace {

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

std::string base64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

std::string url_safe(std::string text) {
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

std::string unpadded(std::string text) {
  text.erase(text.find_last_not_of('=') + 1);
  return text;
}

std::string hex_byte(char c, bool upper) {
  const std::string_view digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {digits[byte >> 4], digits[byte & 15]};
}

std::string hex(std::string_view bytes, bool upper) {
  std::string out;
  for (const char c : bytes) out += hex_byte(c, upper);
  return out;
}

// Percent-encodes each character with a chance of `percent` in a hundred.
std::string percent(std::string_view text, Random& random, std::size_t chance) {
  std::string out;
  for (const char c : text) {
    if (below(random, 100) < chance) {
      out += '%' + hex_byte(c, below(random, 2) == 0);
    } else {
      out += c;
    }
  }
  return out;
}

std::string random_secret(Random& random) {
  // Printable ASCII first, then anything: a secret may be binary or in any language.
  const bool ascii = below(random, 3) > 0;
  const std::size_t length = 4 + below(random, below(random, 10) == 0 ? 300 : 40);
  std::string secret;
  for (std::size_t i = 0; i < length; ++i) {
    secret += static_cast<char>(ascii ? 0x20 + below(random, 0x5f) : below(random, 256));
  }
  return secret;
}

// Any one of the promised forms.
std::string random_form(const std::string& secret, Random& random) {
  std::string form = secret;
  switch (below(random, 3)) {
    case 0:
      for (char& c : form) {
        if (c == ' ' && below(random, 2) == 0) c = '+';
      }
      break;
    case 1:
      form = hex(form, below(random, 2) == 0);
      break;
    default:
      form = unpadded(base64(form));
      if (below(random, 2) == 0) form = url_safe(form);
  }
  for (std::size_t level = below(random, 4); level > 0; --level) {
    const std::size_t chances[] = {100, 50, 10};
    form = percent(form, random, chances[below(random, 3)]);
  }
  return form;
}

TEST_CASE("text without a secret stays as it is") {
  CHECK(Redactor().text("/etc/passwd") == "/etc/passwd");
  const Redactor redactor({"tok-5up3r-9d41c7"});
  CHECK(redactor.text("") == "");
  CHECK(redactor.text("/data/a.txt") == "/data/a.txt");
  CHECK(redactor.text("tok-5up3r-9d41c") == "tok-5up3r-9d41c");
  CHECK(redactor.text("100%-%zz-%4") == "100%-%zz-%4");
}

TEST_CASE("a secret shorter than four bytes is refused") {
  CHECK_THROWS_AS(Redactor({"abc"}), std::invalid_argument);
  CHECK(Redactor({"abcd"}).text("xabcdx") == "x[redacted]x");
}

TEST_CASE("each form of a secret is hidden, and nothing else is") {
  const std::string secret = "p@ss w0rd/+?";
  const Redactor redactor({secret});
  const auto hidden = [&](const std::string& form) { return redactor.text("<" + form + ">"); };
  CHECK(hidden(secret) == "<[redacted]>");
  CHECK(hidden(secret + secret) == "<[redacted]>");
  CHECK(hidden(secret + "~" + secret) == "<[redacted]~[redacted]>");
  CHECK(hidden("P@SS w0RD/+?") == "<[redacted]>");
  CHECK(hidden("p@ss+w0rd/+?") == "<[redacted]>");
  CHECK(hidden("p%40ss%20w0rd%2F%2b%3f") == "<[redacted]>");
  CHECK(hidden("%70%40%73%73%20%77%30%72%64%2f%2B%3F") == "<[redacted]>");
  CHECK(hidden("p%2540ss%2520w0rd%252F%252b%253f") == "<[redacted]>");
  CHECK(hidden("p%252540ss%252520w0rd%25252F%25252b%25253f") == "<[redacted]>");
  CHECK(hidden("%25%37%30%40ss w0rd/+?") == "<[redacted]>");
  CHECK(hidden(hex(secret, false)) == "<[redacted]>");
  CHECK(hidden(hex(secret, true)) == "<[redacted]>");
  CHECK(hidden(unpadded(base64(secret))) == "<[redacted]>");
  CHECK(hidden(url_safe(unpadded(base64(secret)))) == "<[redacted]>");
}

TEST_CASE("base64 is found at every alignment within a longer encoded text") {
  const std::string secret = "tok-5up3r-9d41c7?>~";
  const Redactor redactor({secret});
  for (const std::string before : {"", "u", "us", "use", "user"}) {
    for (const std::string after : {"", ":", "::", ":::"}) {
      const std::string encoded = base64(before + secret + after);
      CAPTURE(encoded);
      // Only digits that hold bits of the secret vanish, and all of them do.
      const std::size_t first = before.size() * 8 / 6;
      const std::size_t end = ((before.size() + secret.size()) * 8 + 5) / 6;
      const std::string expected = encoded.substr(0, first) + "[redacted]" + encoded.substr(end);
      CHECK(redactor.text(encoded) == expected);
      CHECK(redactor.text(url_safe(unpadded(encoded))) == unpadded(expected));
    }
  }
}

TEST_CASE("a secret that looks percent-encoded is found in any mix") {
  const std::string secret = "a%41b%%25%zz";
  const Redactor redactor({secret});
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    const std::string form = percent(secret, random, 30);
    CAPTURE(form);
    CHECK(redactor.text("<" + form + ">") == "<[redacted]>");
  }
}

TEST_CASE("neighbours cannot swallow the beginning or the end of a secret") {
  const Redactor redactor({"41secret%4"});
  CHECK(redactor.text("%41secret%4") == "%[redacted]");
  CHECK(redactor.text("%4%341s%65cret%4") == "%4[redacted]");
  CHECK(redactor.text("41secret%41") == "[redacted]1");
  CHECK(redactor.text("41secret%2541") == "[redacted]1");
}

TEST_CASE("overlapping and nested secrets are all hidden") {
  const Redactor redactor({"abcdef", "defghi", "cdef"});
  CHECK(redactor.text("xabcdefghiy") == "x[redacted]y");
  CHECK(redactor.text("xcdefy") == "x[redacted]y");
}

TEST_CASE("a long secret is hidden whole, and so is a long part of it") {
  Random random(11);
  std::string secret;
  for (int i = 0; i < 1000; ++i) secret += static_cast<char>('a' + below(random, 26));
  const Redactor redactor({secret});
  CHECK(redactor.text("<" + secret + ">") == "<[redacted]>");
  CHECK(redactor.text("<" + hex(secret, true) + ">") == "<[redacted]>");
  CHECK(redactor.text("<" + unpadded(base64(secret)) + ">") == "<[redacted]>");
  CHECK(redactor.text(secret.substr(64, 128)) == "[redacted]");
}

TEST_CASE("what remains is visible, well formed and capped") {
  const Redactor redactor({"line1\nline2", "bytes\xff\xfe"});
  CHECK(redactor.text("a\nline1\nline2\u202E") == "a\\u{a}[redacted]\\u{202e}");
  CHECK(redactor.text("<bytes\xff\xfe>\xff") == "<[redacted]>\uFFFD");
  const std::string capped = redactor.text(std::string(5000, 'x'));
  CHECK(capped.size() == kMaxFieldBytes);
  CHECK(capped.substr(capped.size() - 3) == "…");
}

TEST_CASE("neither cap leaves part of a secret") {
  const std::string secret = "tok-5up3r-9d41c7";
  const Redactor redactor({secret});
  const auto clean = [](const std::string& shown) {
    return shown.find("tok") == std::string::npos && shown.find("%") == std::string::npos;
  };
  SECTION("of the output") {
    for (std::size_t before = kMaxFieldBytes - 40; before < kMaxFieldBytes + 5; ++before) {
      CHECK(clean(redactor.text(std::string(before, 'x') + secret + "yyyy")));
    }
  }
  SECTION("of the input, when redaction has made it short") {
    std::string text;
    while (text.size() < Redactor::kMaxInputBytes + 100) text += secret;
    for (std::size_t shift = 0; shift < secret.size(); ++shift) {
      const std::string shown = redactor.text(std::string(shift, '.') + text);
      CHECK(shown == std::string(shift, '.') + "[redacted]…");
    }
  }
  SECTION("of the input, when the secret is long and three times encoded") {
    Random random(5);
    std::string form = secret + secret + secret + secret;
    const Redactor long_redactor({form});
    for (int level = 0; level < 3; ++level) form = percent(form, random, 100);
    std::string text;
    while (text.size() < Redactor::kMaxInputBytes + 5000) text += form;
    CHECK(long_redactor.text(text) == "[redacted]…");
  }
}

TEST_CASE("random secrets in random forms and places: the form vanishes, its surroundings stay") {
  Random random(2024);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> secrets;
    for (std::size_t i = 1 + below(random, 3); i > 0; --i) secrets.push_back(random_secret(random));
    const Redactor redactor(secrets);
    std::string text;
    std::string expected;
    for (std::size_t i = 1 + below(random, 3); i > 0; --i) {
      const std::string form = random_form(secrets[below(random, secrets.size())], random);
      // A neighbour that is in no form of a secret: what is left must be exactly the neighbours.
      (text += "\u2300") += form;
      expected += "\u2300[redacted]";
    }
    CAPTURE(text, secrets);
    REQUIRE(redactor.text(text) == expected);
  }
}

TEST_CASE("random bytes around a secret do not save it") {
  Random random(99);
  const std::string alphabet = "%%%%012345aAfF+/-_ =\n\xff\xe2";
  for (int round = 0; round < 3000; ++round) {
    const std::string secret = "4f-" + std::to_string(random()) + "-Zq";
    const auto noise = [&] {
      std::string bytes;
      for (std::size_t i = below(random, 30); i > 0; --i)
        bytes += alphabet[below(random, alphabet.size())];
      return bytes;
    };
    const std::string form = below(random, 2) == 0 ? secret : percent(secret, random, 40);
    const std::string shown = Redactor({secret}).text(noise() + form + noise());
    CAPTURE(shown, secret, form);
    CHECK(shown.find("[redacted]") != std::string::npos);
    CHECK(shown.find(form) == std::string::npos);
    // Not even its middle, which no noise contains.
    CHECK(shown.find(secret.substr(3, 6)) == std::string::npos);
  }
}

TEST_CASE("hostile texts of full length end in bounded time") {
  std::vector<std::string> secrets;
  for (char c = 'a'; c < 'k'; ++c) secrets.push_back(std::string(64, c));
  const Redactor redactor(secrets);
  std::string escapes;
  while (escapes.size() < Redactor::kMaxInputBytes) escapes += "%25";
  for (const std::string& text :
       {std::string(Redactor::kMaxInputBytes, 'a'), std::string(Redactor::kMaxInputBytes, '%'),
        escapes, std::string(10 * Redactor::kMaxInputBytes, 'A')}) {
    CHECK(redactor.text(text).size() <= kMaxFieldBytes);
  }
}

}  // namespace
}  // namespace cordon

#include "tests/cases/runner/text_json.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace cordon::cases {

namespace {

// Lone surrogate U+D800 is kept as U+FD800, and so on.
constexpr char32_t kPrivateOffset = 0xFD800 - 0xD800;

// The code unit of an escape \uXXXX at `at`.
std::optional<char32_t> unit_at(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\\u" || text.size() < at + 6) return std::nullopt;
  const std::string digits(text.substr(at + 2, 4));
  if (!std::all_of(digits.begin(), digits.end(),
                   [](unsigned char c) { return std::isxdigit(c) != 0; }))
    return std::nullopt;
  return static_cast<char32_t>(std::stoul(digits, nullptr, 16));
}

bool is_high(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// UTF-8 of U+FD800 to U+FDFFF: four bytes.
void append_private(std::string& out, char32_t unit) {
  const char32_t point = unit + kPrivateOffset;
  for (const int shift : {18, 12, 6, 0}) {
    const char32_t bits = (point >> shift) & (shift == 18 ? 0x07 : 0x3F);
    out += static_cast<char>((shift == 18 ? 0xF0 : 0x80) | bits);
  }
}

std::string hide_lone_surrogates(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto unit = unit_at(text, at);
    if (!unit) {
      // An escaped backslash is none of ours.
      const std::size_t size = text[at] == '\\' ? 2 : 1;
      out += text.substr(at, size);
      at += size;
      continue;
    }
    const auto next = unit_at(text, at + 6);
    if (is_high(*unit) && next && is_low(*next)) {
      out += text.substr(at, 12);
      at += 12;
    } else {
      if (is_high(*unit) || is_low(*unit)) {
        append_private(out, *unit);
      } else {
        out += text.substr(at, 6);
      }
      at += 6;
    }
  }
  return out;
}

std::string show_lone_surrogates(const std::string& text) {
  constexpr std::string_view kLead = "\xF3\xBD";  // U+FD000 to U+FDFFF
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto third = at + 2 < text.size() ? static_cast<unsigned char>(text[at + 2]) : 0;
    if (text.compare(at, 2, kLead) != 0 || third < 0xA0) {
      out += text[at++];
      continue;
    }
    const unsigned fourth = static_cast<unsigned char>(text[at + 3]);
    const unsigned unit = 0xD000U | ((third & 0x3FU) << 6U) | (fourth & 0x3FU);
    constexpr std::string_view kHex = "0123456789abcdef";
    out += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kHex[(unit >> shift) & 0xFU];
    at += 4;
  }
  return out;
}

}  // namespace

Json parse_json(std::string_view text) {
  try {
    return Json::parse(hide_lone_surrogates(text));
  } catch (const Json::exception& error) {
    throw std::runtime_error(std::string("not JSON: ") + error.what());
  }
}

std::string json_text(const Json& value) {
  return show_lone_surrogates(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

bool has_lone_surrogate(const std::string& text) { return show_lone_surrogates(text) != text; }

void require_keys(const Json& object, std::initializer_list<std::string_view> known,
                  const std::string& what) {
  if (!object.is_object()) throw Unknown(what + " that is not an object: " + json_text(object));
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Unknown("the field \"" + key + "\" of " + what + ": " + json_text(object));
  }
}

std::string text_of(const Json& value, const std::string& what) {
  if (!value.is_string()) throw Unknown(what + " that is not a string: " + json_text(value));
  return value.get<std::string>();
}

std::vector<std::string> texts_of(const Json& value, const std::string& what) {
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) throw Unknown(what + " that is not a list: " + json_text(value));
  std::vector<std::string> texts;
  for (const Json& each : value) texts.push_back(text_of(each, what));
  return texts;
}

double number_of(const Json& value, const std::string& what) {
  if (!value.is_number()) throw Unknown(what + " that is not a number: " + json_text(value));
  return value.get<double>();
}

bool equals(const Json& expected, const Json& actual, bool subset) {
  if (expected.is_object()) {
    if (!actual.is_object() || (!subset && expected.size() != actual.size())) return false;
    return std::all_of(expected.items().begin(), expected.items().end(), [&](const auto& item) {
      const auto found = actual.find(item.key());
      return found != actual.end() && equals(item.value(), *found, subset);
    });
  }
  if (expected.is_array()) {
    return actual.is_array() && expected.size() == actual.size() &&
           std::equal(expected.begin(), expected.end(), actual.begin(),
                      [&](const Json& a, const Json& b) { return equals(a, b, subset); });
  }
  return expected == actual;
}

}  // namespace cordon::cases

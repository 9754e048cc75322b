#include "engine/script/value_format.h"

#include <js/Conversions.h>
#include <js/Exception.h>
#include <js/String.h>
#include <jsapi.h>

#include <algorithm>

#include "engine/script/text.h"

namespace cordon::engine {

namespace {

constexpr std::array<std::string_view, 9> kTagNames = {
    "$num", "$undefined", "$bigint", "$date", "$bytes", "$map", "$set", "$error", "$object"};

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::size_t kMaxShownKeyBytes = 80;
constexpr std::size_t kMaxShownSteps = 40;

bool is_identifier(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
  };
  return !text.empty() && text.size() <= kMaxShownKeyBytes && !(text[0] >= '0' && text[0] <= '9') &&
         std::ranges::all_of(text, plain);
}

std::string property_step(JSContext* cx, JS::HandleId key) {
  JS::RootedValue value(cx);
  JS::RootedString string(cx);
  if (JS_IdToValue(cx, key, &value)) string = JS::ToString(cx, value);
  const auto text =
      string ? to_utf8(cx, string, Surrogates::kReplace, 4 * kMaxShownKeyBytes) : std::nullopt;
  JS_ClearPendingException(cx);
  if (!text) return "[?]";
  if (is_identifier(text->text)) return "." + text->text;
  return key.isInt() ? "[" + text->text + "]" : "[" + quoted(text->text, kMaxShownKeyBytes) + "]";
}

int base64_digit(char c) {
  const auto at = kBase64.find(c);
  return at == kBase64.npos ? -1 : static_cast<int>(at);
}

}  // namespace

std::string_view tag_name(Tag tag) { return kTagNames[static_cast<std::size_t>(tag)]; }

std::optional<Tag> tag_of(std::string_view key) {
  const auto* found = std::ranges::find(kTagNames, key);
  if (found == kTagNames.end()) return std::nullopt;
  return static_cast<Tag>(found - kTagNames.begin());
}

std::optional<Tag> tag_of(JS::HandleId key) {
  if (!key.isString()) return std::nullopt;
  JSLinearString* name = JS_ASSERT_STRING_IS_LINEAR(key.toString());
  if (JS::GetLinearStringLength(name) < 4 || JS::GetLinearStringCharAt(name, 0) != '$') {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < kTagNames.size(); ++i) {
    if (JS_LinearStringEqualsAscii(name, kTagNames[i].data())) return static_cast<Tag>(i);
  }
  return std::nullopt;
}

std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

void append_base64(std::span<const std::uint8_t> bytes, std::string& out) {
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const unsigned group = static_cast<unsigned>(bytes[i]) << 16 |
                           static_cast<unsigned>(bytes[i + 1]) << 8 | bytes[i + 2];
    out += kBase64[group >> 18];
    out += kBase64[group >> 12 & 0x3F];
    out += kBase64[group >> 6 & 0x3F];
    out += kBase64[group & 0x3F];
  }
  const std::size_t left = bytes.size() - i;
  if (left == 0) return;
  const unsigned group = static_cast<unsigned>(bytes[i]) << 16 |
                         (left == 2 ? static_cast<unsigned>(bytes[i + 1]) << 8 : 0U);
  out += kBase64[group >> 18];
  out += kBase64[group >> 12 & 0x3F];
  out += left == 2 ? kBase64[group >> 6 & 0x3F] : '=';
  out += '=';
}

std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  text.remove_suffix(padding);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  unsigned group = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const int digit = base64_digit(c);
    if (digit < 0) return std::nullopt;
    group = (group << 6 | static_cast<unsigned>(digit)) & 0xFFFF;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::uint8_t>(group >> bits));
  }
  // What is left over must be zero: one text for each value.
  if ((group & ((1U << bits) - 1)) != 0) return std::nullopt;
  return bytes;
}

bool ValuePath::enter_property(JS::HandleId key) {
  if (!keys_.append(key)) {
    JS_ReportOutOfMemory(cx_);
    return false;
  }
  steps_.push_back({Step::Kind::kProperty, keys_.length() - 1});
  return true;
}

void ValuePath::enter_index(std::size_t index) { steps_.push_back({Step::Kind::kIndex, index}); }

void ValuePath::enter_entry(std::size_t index) { steps_.push_back({Step::Kind::kEntry, index}); }

void ValuePath::leave() {
  if (steps_.back().kind == Step::Kind::kProperty) keys_.popBack();
  steps_.pop_back();
}

std::string ValuePath::text() const {
  std::string text = root_;
  std::size_t shown = 0;
  for (const Step& step : steps_) {
    if (++shown > kMaxShownSteps) return text + "…";
    switch (step.kind) {
      case Step::Kind::kProperty:
        text += property_step(cx_, keys_[step.index]);
        break;
      case Step::Kind::kIndex:
        text += "[" + std::to_string(step.index) + "]";
        break;
      case Step::Kind::kEntry:
        text += ".entry(" + std::to_string(step.index) + ")";
        break;
    }
  }
  return text;
}

}  // namespace cordon::engine

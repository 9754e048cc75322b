#include "engine/script/text.h"

#include <js/CharacterEncoding.h>
#include <js/GCAPI.h>
#include <js/MemoryFunctions.h>
#include <js/String.h>
#include <js/Utility.h>
#include <jsapi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "messages/populate.h"

namespace cordon::engine {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

// From here on, characters lie on pages that nobody else uses.
constexpr std::size_t kLongText = std::size_t{256} << 10;

bool is_high_surrogate(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }
constexpr bool is_surrogate(char32_t code) { return code >= 0xD800 && code < 0xE000; }

char byte_of(char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); }

std::size_t encode(char32_t code, std::array<char, 4>& out) {
  if (code < 0x80) {
    out[0] = byte_of(code);
    return 1;
  }
  if (code < 0x800) {
    out[0] = byte_of(0xC0 | code >> 6);
    out[1] = byte_of(0x80 | (code & 0x3F));
    return 2;
  }
  if (code < 0x10000) {
    out[0] = byte_of(0xE0 | code >> 12);
    out[1] = byte_of(0x80 | (code >> 6 & 0x3F));
    out[2] = byte_of(0x80 | (code & 0x3F));
    return 3;
  }
  out[0] = byte_of(0xF0 | code >> 18);
  out[1] = byte_of(0x80 | (code >> 12 & 0x3F));
  out[2] = byte_of(0x80 | (code >> 6 & 0x3F));
  out[3] = byte_of(0x80 | (code & 0x3F));
  return 4;
}

// The code point at `index`, which moves behind it; a lone surrogate is returned as it is.
template <class Unit>
char32_t next_code_point(std::span<const Unit> units, std::size_t& index) {
  const char32_t unit = units[index++];
  if (is_high_surrogate(unit) && index < units.size() && is_low_surrogate(units[index])) {
    const char32_t low = units[index++];
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
  }
  return unit;
}

// The Latin-1 characters from `from` on that stand for themselves: `plain` tells which do. Most
// text is made of long runs of them.
template <class Plain>
std::string_view plain_run(std::span<const JS::Latin1Char> units, std::size_t from, Plain plain) {
  std::size_t end = from;
  while (end < units.size() && plain(units[end])) ++end;
  return {reinterpret_cast<const char*>(units.data()) + from, end - from};
}

template <class Unit>
Utf8Text encode_units(std::span<const Unit> units, Surrogates surrogates, std::size_t max_bytes) {
  Utf8Text result;
  result.text.reserve(std::min(units.size(), max_bytes));
  std::array<char, 4> bytes{};
  for (std::size_t i = 0; i < units.size();) {
    if constexpr (sizeof(Unit) == 1) {
      const auto run = plain_run(units, i, [](char32_t c) {
                         return c < 0x80;
                       }).substr(0, max_bytes - result.text.size());
      result.text += run;
      i += run.size();
      if (i == units.size()) break;
    }
    char32_t code = next_code_point(units, i);
    if (is_surrogate(code) && surrogates == Surrogates::kReplace) code = kReplacement;
    const std::size_t size = encode(code, bytes);
    if (size > max_bytes - result.text.size()) {
      result.cut = true;
      break;
    }
    result.text.append(bytes.data(), size);
  }
  return result;
}

void append_unicode_escape(char32_t unit, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[unit >> shift & 0xF];
}

constexpr bool needs_json_escape(char32_t code) {
  return code < 0x20 || code == '"' || code == '\\' || is_surrogate(code);
}

// ASCII that stands for itself within a JSON string.
constexpr auto kPlainInJson = [] {
  std::array<bool, 256> plain{};
  for (char32_t c = 0; c < 0x80; ++c) plain[c] = !needs_json_escape(c);
  return plain;
}();

void append_json_escape(char32_t code, std::string& out) {
  switch (code) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      append_unicode_escape(code, out);
  }
}

template <class Unit>
void append_json_units(std::span<const Unit> units, std::size_t max_size, std::string& out) {
  std::array<char, 4> bytes{};
  out += '"';
  for (std::size_t i = 0; i < units.size() && out.size() <= max_size;) {
    if constexpr (sizeof(Unit) == 1) {
      const auto run = plain_run(units, i, [](JS::Latin1Char c) { return kPlainInJson[c]; });
      out += run;
      i += run.size();
      if (i == units.size()) break;
    }
    const char32_t code = next_code_point(units, i);
    if (needs_json_escape(code)) {
      append_json_escape(code, out);
    } else {
      out.append(bytes.data(), encode(code, bytes));
    }
  }
  out += '"';
}

// Calls `use` with the units of `string`, Latin-1 or UTF-16. The engine must not collect meanwhile.
template <class Use>
void with_units(JSLinearString* string, const JS::AutoCheckCannotGC& no_gc, Use&& use) {
  const std::size_t length = JS::GetLinearStringLength(string);
  if (JS::LinearStringHasLatin1Chars(string)) {
    use(std::span(JS::GetLatin1LinearStringChars(no_gc, string), length));
  } else {
    use(std::span(JS::GetTwoByteLinearStringChars(no_gc, string), length));
  }
}

// One step of the WHATWG decoder: the code point at `index`, or nothing for one ill-formed part.
std::optional<char32_t> decode_one(std::span<const std::uint8_t> bytes, std::size_t& index) {
  const std::uint8_t lead = bytes[index++];
  if (lead < 0x80) return lead;
  if (lead < 0xC2 || lead > 0xF4) return std::nullopt;
  const int continuations = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  std::uint8_t lower = 0x80;
  std::uint8_t upper = 0xBF;
  if (lead == 0xE0) lower = 0xA0;
  if (lead == 0xED) upper = 0x9F;
  if (lead == 0xF0) lower = 0x90;
  if (lead == 0xF4) upper = 0x8F;
  char32_t code = lead & (0x3F >> continuations);
  for (int i = 0; i < continuations; ++i) {
    if (index == bytes.size() || bytes[index] < lower || bytes[index] > upper) return std::nullopt;
    code = code << 6 | (bytes[index++] & 0x3F);
    lower = 0x80;
    upper = 0xBF;
  }
  return code;
}

// What decoding bytes as UTF-8 gives, each ill-formed part taken for one U+FFFD.
struct Measure {
  std::size_t units = 0;  // of UTF-16
  bool well_formed = true;
  bool latin1 = true;
};

// Where the ASCII characters from `from` on end.
std::size_t ascii_end(std::span<const std::uint8_t> bytes, std::size_t from) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  for (std::uint64_t word = 0; bytes.size() - from >= sizeof word; from += sizeof word) {
    std::memcpy(&word, bytes.data() + from, sizeof word);
    if ((word & kHigh) != 0) break;
  }
  while (from < bytes.size() && bytes[from] < 0x80) ++from;
  return from;
}

Measure measure(std::span<const std::uint8_t> bytes) {
  Measure measured;
  for (std::size_t i = 0;;) {
    const std::size_t end = ascii_end(bytes, i);
    measured.units += end - i;
    if (end == bytes.size()) return measured;
    i = end;
    const std::optional<char32_t> code = decode_one(bytes, i);
    if (!code) measured.well_formed = false;
    if (code.value_or(kReplacement) > 0xFF) measured.latin1 = false;
    measured.units += code.value_or(kReplacement) < 0x10000 ? 1 : 2;
  }
}

// `out` has room for what measure() has found; Latin-1 units for Latin-1 alone.
template <class Unit>
void decode_into(std::span<const std::uint8_t> bytes, Unit* out) {
  for (std::size_t i = 0;;) {
    const std::size_t end = ascii_end(bytes, i);
    out = std::copy(bytes.data() + i, bytes.data() + end, out);
    if (end == bytes.size()) return;
    i = end;
    const char32_t code = decode_one(bytes, i).value_or(kReplacement);
    if (code < 0x10000) {
      *out++ = static_cast<Unit>(code);
    } else {
      *out++ = static_cast<Unit>(0xD800 + ((code - 0x10000) >> 10));
      *out++ = static_cast<Unit>(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
}

// Characters that a string may own; null, with an exception, when memory ran out.
template <class Unit>
js::UniquePtr<Unit[], JS::FreePolicy> decoded(JSContext* cx, std::span<const std::uint8_t> bytes,
                                              std::size_t units) {
  auto* const out = static_cast<Unit*>(JS_string_malloc(cx, units * sizeof(Unit)));
  if (out == nullptr) {
    JS_ReportOutOfMemory(cx);
  } else {
    if (units >= kLongText) populate(std::as_writable_bytes(std::span(out, units)));
    decode_into(bytes, out);
  }
  return js::UniquePtr<Unit[], JS::FreePolicy>(out);
}

}  // namespace

std::optional<Utf8Text> to_utf8(JSContext* cx, JS::HandleString string, Surrogates surrogates,
                                std::size_t max_bytes) {
  JSLinearString* linear = JS_EnsureLinearString(cx, string);
  if (linear == nullptr) return std::nullopt;
  Utf8Text result;
  const JS::AutoCheckCannotGC no_gc;
  with_units(linear, no_gc,
             [&](auto units) { result = encode_units(units, surrogates, max_bytes); });
  return result;
}

bool append_json_string(JSContext* cx, JS::HandleString string, std::size_t max_size,
                        std::string& out) {
  JSLinearString* linear = JS_EnsureLinearString(cx, string);
  if (linear == nullptr) return false;
  const JS::AutoCheckCannotGC no_gc;
  with_units(linear, no_gc, [&](auto units) { append_json_units(units, max_size, out); });
  return true;
}

std::optional<std::u16string> decode_utf8(std::span<const std::uint8_t> bytes, bool fatal) {
  const Measure measured = measure(bytes);
  if (fatal && !measured.well_formed) return std::nullopt;
  std::u16string out(measured.units, u'\0');
  decode_into(bytes, out.data());
  return out;
}

JSString* new_string(JSContext* cx, std::string_view text) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const Measure measured = measure(bytes);
  const bool is_short = text.size() < kLongText;
  if (measured.latin1 && measured.units == text.size() && is_short) {  // ASCII
    return JS_NewStringCopyN(cx, text.data(), text.size());
  }
  if (measured.latin1) {
    auto characters = decoded<JS::Latin1Char>(cx, bytes, measured.units);
    return characters ? JS_NewLatin1String(cx, std::move(characters), measured.units) : nullptr;
  }
  auto characters = decoded<char16_t>(cx, bytes, measured.units);
  return characters ? JS_NewUCStringDontDeflate(cx, std::move(characters), measured.units)
                    : nullptr;
}

std::string quoted(std::string_view text, std::size_t max_bytes) {
  std::string out = "\"";
  for (const char c : text) {
    if (out.size() > max_bytes && (static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      out += "…";
      break;
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || c == '"' || c == '\\') {
      append_json_escape(byte, out);
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace cordon::engine

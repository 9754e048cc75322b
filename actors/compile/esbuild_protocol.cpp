#include "actors/compile/esbuild_protocol.h"

#include <algorithm>
#include <array>

#include <boost/endian/conversion.hpp>

namespace cordon::esbuild {
namespace {

// Tags of the values that a packet is made of.
enum class Tag : std::uint8_t {
  kNull,
  kBool,   // one byte
  kInt,    // 32 bits
  kText,   // length, bytes
  kBytes,  // length, bytes
  kArray,  // count, values
  kMap,    // count, pairs of text (without a tag) and value
};

// An answer nests five deep. More is an attack on the stack.
constexpr int kMaxDepth = 16;

// esbuild takes a source's own `sourceMappingURL` comment for a map of an earlier step and shapes
// its map by it. The last such comment counts, and the last comment is ours: it leads nowhere.
// Nothing before it is touched, so no position moves and no string changes; a source whose end is
// not reached by the lexer does not compile at all.
constexpr std::string_view kOwnMapComment = "\n//# sourceMappingURL=none";

constexpr std::array kFlags = std::to_array<std::string_view>({
    "--loader=ts",
    "--format=esm",
    "--target=firefox102",
    // The name shows in code made for `export default` and `export =`. It is always the same, so
    // that no name from outside reaches the command or the code.
    "--sourcefile=main.ts",
    "--sourcemap=external",
    "--sources-content=false",
    "--charset=utf8",
    // Renamed and anonymous functions and classes keep the `name` that the language gives them.
    "--keep-names",
    "--legal-comments=none",
    "--log-level=silent",
});

// A template may hold line breaks; strings and regular expressions do not.
constexpr std::string_view kNoTemplates = "--supported:template-literal=false";

// The guest's source has no tsconfig of its own: this is all of it.
constexpr std::string_view kStandardConfig =
    R"(--tsconfig-raw={"compilerOptions":{"useDefineForClassFields":true,"verbatimModuleSyntax":false}})";
constexpr std::string_view kLegacyDecoratorsConfig =
    R"(--tsconfig-raw={"compilerOptions":{"useDefineForClassFields":true,"verbatimModuleSyntax":false,"experimentalDecorators":true}})";

class Writer {
 public:
  void u32(std::size_t value) {
    const auto little = boost::endian::native_to_little(static_cast<std::uint32_t>(value));
    std::array<char, sizeof little> bytes;
    std::memcpy(bytes.data(), &little, sizeof little);
    out_.append(bytes.data(), bytes.size());
  }
  void tag(Tag value) { out_.push_back(static_cast<char>(value)); }
  void raw_text(std::string_view value) {
    u32(value.size());
    out_.append(value);
  }
  void text(std::string_view value) {
    tag(Tag::kText);
    raw_text(value);
  }
  void boolean(bool value) {
    tag(Tag::kBool);
    out_.push_back(value ? 1 : 0);
  }
  std::string& bytes() { return out_; }

 private:
  std::string out_;
};

// Reads values from hostile bytes. After the first thing that is wrong every read gives nothing
// and ok() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && rest_.empty(); }

  std::string_view take(std::size_t size) {
    if (!ok_ || size > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::uint32_t u32() {
    const std::string_view bytes = take(4);
    return ok_ ? read_u32(bytes) : 0;
  }
  std::string_view raw_text() { return take(u32()); }

  // Whether a value of the kind follows; consumes its tag.
  bool is(Tag tag) {
    if (!ok_ || rest_.empty() || rest_.front() != static_cast<char>(tag)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view text() {
    if (is(Tag::kText) || is(Tag::kBytes)) return raw_text();
    fail();
    return {};
  }
  // Null stands for an absent list or map.
  std::uint32_t count(Tag tag) {
    if (is(Tag::kNull)) return 0;
    if (is(tag)) return u32();
    fail();
    return 0;
  }
  // A number that cannot be used becomes zero.
  std::uint32_t natural() {
    if (!is(Tag::kInt)) {
      skip();
      return 0;
    }
    const std::uint32_t value = u32();
    return value <= kMaxId ? value : 0;
  }
  // Every value and every pair takes at least a byte, so a false count ends with the bytes.
  void skip(int depth = 0) {
    if (depth > kMaxDepth) return fail();
    if (is(Tag::kNull)) return;
    if (is(Tag::kBool)) return void(take(1));
    if (is(Tag::kInt)) return void(take(4));
    if (is(Tag::kText) || is(Tag::kBytes)) return void(raw_text());
    if (is(Tag::kArray)) {
      for (std::uint32_t left = u32(); ok_ && left > 0; --left) skip(depth + 1);
      return;
    }
    if (is(Tag::kMap)) {
      for (std::uint32_t left = u32(); ok_ && left > 0; --left) {
        raw_text();
        skip(depth + 1);
      }
      return;
    }
    fail();
  }
  // Calls `field(key)` for each pair of a map; the call consumes the value.
  template <class Field>
  void each_field(Field field) {
    for (std::uint32_t left = count(Tag::kMap); ok_ && left > 0; --left) field(raw_text());
  }

 private:
  void fail() {
    ok_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  bool ok_ = true;
};

void read_location(Reader& reader, SourceError& error) {
  reader.each_field([&](std::string_view key) {
    if (key == "line") {
      error.line = reader.natural();
    } else if (key == "column") {
      error.column = reader.natural();
    } else {
      reader.skip();
    }
  });
}

std::string short_text(std::string_view text) { return std::string(text.substr(0, kMaxErrorText)); }

// The first error is what people read; of the others only their number counts.
SourceError read_errors(Reader& reader) {
  SourceError error;
  error.count = reader.count(Tag::kArray);
  if (error.count == 0) return error;
  reader.each_field([&](std::string_view key) {
    if (key == "text") {
      error.text = short_text(reader.text());
    } else if (key == "location") {
      read_location(reader, error);
    } else {
      reader.skip();
    }
  });
  for (std::size_t left = error.count - 1; reader.ok() && left > 0; --left) reader.skip();
  return error;
}

}  // namespace

std::string encode_transform(std::uint32_t id, std::string_view source, TransformOptions options) {
  Writer out;
  out.bytes().reserve(source.size() + 1024);
  out.u32(0);  // the length, once it is known
  out.u32(std::size_t{id} << 1);
  out.tag(Tag::kMap);
  out.u32(4);
  out.raw_text("command");
  out.text("transform");
  out.raw_text("flags");
  out.tag(Tag::kArray);
  out.u32(kFlags.size() + 1 + (options.one_line_tokens ? 1 : 0));
  for (const std::string_view flag : kFlags) out.text(flag);
  if (options.one_line_tokens) out.text(kNoTemplates);
  out.text(options.experimental_decorators ? kLegacyDecoratorsConfig : kStandardConfig);
  out.raw_text("inputFS");  // false: the source is here, not in a file that it names
  out.boolean(false);
  out.raw_text("input");
  out.tag(Tag::kBytes);
  out.u32(source.size() + kOwnMapComment.size());
  out.bytes().append(source).append(kOwnMapComment);

  const auto length = static_cast<std::uint32_t>(out.bytes().size() - kLengthBytes);
  boost::endian::store_little_u32(reinterpret_cast<unsigned char*>(out.bytes().data()), length);
  return std::move(out.bytes());
}

std::uint32_t read_u32(std::string_view bytes) noexcept {
  return boost::endian::load_little_u32(reinterpret_cast<const unsigned char*>(bytes.data()));
}

std::optional<std::uint32_t> decode_answer_id(std::string_view id_bytes) noexcept {
  const std::uint32_t raw = read_u32(id_bytes);
  if ((raw & 1) == 0) return std::nullopt;
  return raw >> 1;
}

std::optional<Answer> decode_answer(std::string_view body) {
  Reader reader(body);
  std::optional<std::string_view> code;
  std::string_view map;
  std::optional<std::string_view> refusal;
  SourceError error;
  bool elsewhere = false;
  reader.each_field([&](std::string_view key) {
    if (key == "code") {
      code = reader.text();
    } else if (key == "map") {
      map = reader.text();
    } else if (key == "errors") {
      error = read_errors(reader);
    } else if (key == "error") {
      refusal = reader.text();
    } else if (key == "codeFS" || key == "mapFS") {
      elsewhere |= !reader.is(Tag::kBool) || reader.take(1) != std::string_view("\0", 1);
    } else {
      reader.skip();
    }
  });
  // We let nothing be passed through files.
  if (!reader.at_end() || elsewhere) return std::nullopt;
  if (refusal) return Refusal{short_text(*refusal)};
  if (error.count > 0) return error;
  if (!code) return std::nullopt;
  return Transformed{std::string(*code), std::string(map)};
}

}  // namespace cordon::esbuild

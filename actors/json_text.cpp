#include "actors/json_text.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <nlohmann/json.hpp>
#include <utility>

#include "messages/utf8.h"

namespace cordon {

namespace {

using Kind = JsonTextError::Kind;

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
constexpr bool is_hex_digit(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

constexpr std::size_t kWord = sizeof(std::uint64_t);

// How many of the eight bytes from `bytes` on are, from the front, ASCII that stands for itself
// within a string.
std::size_t plain_prefix(const char* bytes) noexcept {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const std::uint64_t quote = word ^ (kOnes * '"');
  const std::uint64_t backslash = word ^ (kOnes * '\\');
  // The high bit of a byte of `x - kOnes * n` is set where the byte is below n, or has its own high
  // bit set. Only a byte behind such a one can be a false alarm.
  const std::uint64_t found =
      (word | (word - kOnes * 0x20) | (quote - kOnes) | (backslash - kOnes)) & kHigh;
  return found == 0 ? kWord : static_cast<std::size_t>(std::countr_zero(found)) / 8;
}

// The keys of the objects that are open. Whether one is given twice is known when its object ends.
class OpenKeys {
 public:
  void open() { objects_.push_back({keys_.size(), decoded_.size()}); }

  // `written`, with its quotes, is at `offset` of a text that outlives this.
  void add(std::string_view written, std::size_t offset) {
    std::string_view key = written.substr(1, written.size() - 2);
    if (key.find('\\') != key.npos) {
      key = decoded_.emplace_back(nlohmann::json::parse(readable_json(written)).get<std::string>());
    }
    keys_.push_back({key, offset});
  }

  // The second of two that are alike.
  std::optional<JsonTextError> close() {
    const Object object = objects_.back();
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(object.keys);
    std::sort(begin, keys_.end());
    const auto alike = std::adjacent_find(
        begin, keys_.end(), [](const Key& a, const Key& b) { return a.text == b.text; });
    if (alike != keys_.end()) {
      return JsonTextError{Kind::kRepeatedKey, std::next(alike)->offset, std::string(alike->text)};
    }
    keys_.erase(begin, keys_.end());
    decoded_.resize(object.decoded);
    objects_.pop_back();
    return std::nullopt;
  }

 private:
  struct Key {
    std::string_view text;
    std::size_t offset;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Object {  // where its keys begin
    std::size_t keys;
    std::size_t decoded;
  };
  std::vector<Object> objects_;
  std::vector<Key> keys_;
  std::deque<std::string> decoded_;  // of keys that are written with escapes
};

class Scanner {
 public:
  Scanner(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {}

  std::optional<JsonTextError> run() {
    while (value() && rest_of_containers()) {
      if (done_) return std::nullopt;
    }
    return error_;
  }

  // As run(), for an object in which no key is given twice.
  Result<std::vector<JsonMember>, JsonTextError> run_members() {
    const bool is_object = skip_space() == '{';
    keys_.emplace();
    if (auto error = run()) return *std::move(error);
    if (!is_object) return JsonTextError{Kind::kNoObject, 0};
    return std::move(members_);
  }

 private:
  bool fail(Kind kind) noexcept {
    error_ = {kind, at_};
    return false;
  }
  // The next byte, or NUL, which no rule accepts, at the end.
  char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) noexcept {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  char skip_space() noexcept {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return peek();
  }

  // One whole value, or the opening of a container up to where its first value begins.
  bool value() {
    for (;;) {
      switch (skip_space()) {
        case '{':
          if (!open(true)) return false;
          if (skip_space() == '}') return true;
          if (!key()) return false;
          continue;
        case '[':
          if (!open(false)) return false;
          if (skip_space() == ']') return true;
          continue;
        case '"':
          return string();
        case 't':
          return literal("true");
        case 'f':
          return literal("false");
        case 'n':
          return literal("null");
        default:
          return number();
      }
    }
  }

  // What may follow a value: closings, then a comma (and a key), or the end of the text.
  bool rest_of_containers() {
    for (;;) {
      if (in_object_.size() == 1 && !members_.empty()) end_member();
      const char c = skip_space();
      if (in_object_.empty()) {
        done_ = true;
        return at_ == text_.size() || fail(Kind::kSyntax);
      }
      const bool object = in_object_.back();
      if (c == ',') {
        ++at_;
        if (!object) return true;
        skip_space();
        return key();
      }
      if (!take(object ? '}' : ']')) return fail(Kind::kSyntax);
      in_object_.pop_back();
      if (object && keys_ && !close_keys()) return false;
    }
  }

  bool open(bool object) {
    if (in_object_.size() == max_depth_) return fail(Kind::kDepth);
    in_object_.push_back(object);
    if (object && keys_) keys_->open();
    ++at_;
    return true;
  }

  bool key() {
    const std::size_t begin = at_;
    if (!string()) return false;
    const std::string_view written = text_.substr(begin, at_ - begin);
    skip_space();
    if (!take(':')) return fail(Kind::kSyntax);
    if (!keys_) return true;
    keys_->add(written, begin);
    if (in_object_.size() == 1) {
      skip_space();
      members_.push_back({written, text_.substr(at_)});
    }
    return true;
  }

  bool close_keys() {
    error_ = keys_->close();
    return !error_;
  }

  // Its value was taken for the rest of the text.
  void end_member() {
    std::string_view& value = members_.back().value;
    value.remove_suffix(text_.size() - at_);
  }

  bool literal(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return fail(Kind::kSyntax);
    at_ += word.size();
    return true;
  }

  bool digits() {
    if (!is_digit(peek())) return fail(Kind::kSyntax);
    while (is_digit(peek())) ++at_;
    return true;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    return digits();
  }

  bool string() {
    if (!take('"')) return fail(Kind::kSyntax);
    for (;;) {
      for (std::size_t plain = kWord; plain == kWord && text_.size() - at_ >= kWord;) {
        plain = plain_prefix(text_.data() + at_);
        at_ += plain;
      }
      if (at_ == text_.size()) return fail(Kind::kSyntax);
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c < 0x20) return fail(Kind::kSyntax);
      if (c >= 0x80) {
        const Utf8Step step = decode_utf8(text_.substr(at_));
        if (!step.valid) return fail(Kind::kUtf8);
        at_ += step.length;
        continue;
      }
      ++at_;
      if (c == '"') return true;
      if (c == '\\' && !escape()) return false;
    }
  }

  bool escape() {
    const char c = peek();
    if (c != 'u') {
      constexpr std::string_view kShort = "\"\\/bfnrt";
      if (at_ == text_.size() || kShort.find(c) == kShort.npos) return fail(Kind::kSyntax);
      ++at_;
      return true;
    }
    ++at_;
    for (int i = 0; i < 4; ++i, ++at_) {
      if (!is_hex_digit(peek())) return fail(Kind::kSyntax);
    }
    return true;
  }

  std::string_view text_;
  std::size_t max_depth_;
  std::size_t at_ = 0;
  std::vector<bool> in_object_;  // the open containers: true for an object, false for an array
  bool done_ = false;
  std::optional<JsonTextError> error_;
  std::optional<OpenKeys> keys_;     // when none may be given twice
  std::vector<JsonMember> members_;  // of the outermost object, when keys count
};

// The code unit of an escape `\uXXXX` at the front of `text`, or -1 when there is no such escape.
int escaped_unit(std::string_view text) {
  if (text.size() < 6 || text.substr(0, 2) != "\\u") return -1;
  return std::stoi(std::string(text.substr(2, 4)), nullptr, 16);
}

constexpr bool is_high_surrogate(int unit) noexcept { return unit >= 0xD800 && unit <= 0xDBFF; }
constexpr bool is_low_surrogate(int unit) noexcept { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Length of a string at the front of `text`, with its quotes; appends it to `out`.
std::size_t copy_string(std::string_view text, std::string& out) {
  out += '"';
  std::size_t at = 1;
  while (text[at] != '"') {
    if (text[at] != '\\') {
      const std::size_t end = text.find_first_of("\"\\", at);
      out += text.substr(at, end - at);
      at = end;
      continue;
    }
    const int unit = escaped_unit(text.substr(at));
    std::size_t length = unit < 0 ? 2 : 6;
    const bool high = is_high_surrogate(unit);
    if (high && is_low_surrogate(escaped_unit(text.substr(at + 6)))) length = 12;
    const bool lone = (high && length == 6) || is_low_surrogate(unit);
    out += lone ? std::string_view("\\ufffd") : text.substr(at, length);
    at += length;
  }
  out += '"';
  return at + 1;
}

std::size_t copy_number(std::string_view text, std::string& out) {
  const std::size_t length = std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
  const std::string_view number = text.substr(0, length);
  // Only an exponent or very many digits lead beyond the range; then the reader itself is asked.
  const bool may_overflow = length > 300 || number.find_first_of("eE") != number.npos;
  if (may_overflow && !nlohmann::json::accept(number)) {
    out += number[0] == '-' ? R"({"$num":"-Infinity"})" : R"({"$num":"Infinity"})";
  } else {
    out += number;
  }
  return length;
}

}  // namespace

std::optional<JsonTextError> find_json_error(std::string_view text, std::size_t max_depth) {
  return Scanner(text, max_depth).run();
}

Result<std::vector<JsonMember>, JsonTextError> find_json_members(std::string_view text,
                                                                 std::size_t max_depth) {
  return Scanner(text, max_depth).run_members();
}

std::string readable_json(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at += copy_string(text.substr(at), out);
    } else if (c == '-' || is_digit(c)) {
      at += copy_number(text.substr(at), out);
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

}  // namespace cordon

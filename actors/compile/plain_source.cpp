#include "actors/compile/plain_source.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace cordon {
namespace {

using Refusal = std::optional<std::string_view>;

constexpr std::size_t kMaxNesting = 128;

// Words that stand for something that esbuild does more about than take types away, or that mean
// different things in different places. As names of properties after a dot they are harmless.
constexpr auto kForbiddenWords = std::to_array<std::string_view>(
    {"accessor", "enum", "exports", "global", "module", "namespace", "using", "with"});

// After these an expression begins, so that a slash begins a regular expression.
constexpr auto kBeforeExpression =
    std::to_array<std::string_view>({"return", "typeof", "case", "do", "else", "in", "instanceof",
                                     "new", "void", "delete", "throw", "extends", "default"});

// These may be names or may not.
constexpr auto kPerhapsBeforeExpression = std::to_array<std::string_view>(
    {"async", "await", "break", "continue", "debugger", "of", "yield"});

// A statement may follow the parenthesis that closes what they open.
constexpr auto kBeforeControl =
    std::to_array<std::string_view>({"await", "catch", "for", "if", "switch", "while"});

constexpr auto kBeforeBlock = std::to_array<std::string_view>({"do", "else", "finally", "try"});

constexpr auto kDeclaring = std::to_array<std::string_view>({"async", "class", "function"});

constexpr auto kDeclarable = std::to_array<std::string_view>({"const", "function", "let", "var"});

template <std::size_t size>
bool is_one_of(std::string_view word, const std::array<std::string_view, size>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

constexpr bool is_word(char c) { return begins_word(c) || is_digit(c); }

// The source as tokens, with as much of what came before as the next decision needs.
class Reader {
 public:
  explicit Reader(std::string_view source) : text_(source) {}

  Refusal read() {
    if (text_.starts_with("#!")) return "a line for the shell";
    while (at_ < text_.size()) {
      if (const Refusal refusal = token()) return refusal;
    }
    return depth_ == 0 ? std::nullopt : Refusal("brackets that do not match");
  }

 private:
  // What a slash may be after a token.
  enum class Slash : std::uint8_t { kDivides, kBeginsRegExp, kUnclear };
  enum class Before : std::uint8_t { kNothing, kDot, kText, kWord, kOther };

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool follows(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  // `last` tells punctuators apart.
  void note(Before before, Slash slash, char last = '\0') {
    before_ = before;
    slash_ = slash;
    last_ = last;
    if (before != Before::kWord) word_ = run_ = {};
  }

  Refusal token() {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\n') {
      ++at_;
      return std::nullopt;
    }
    if (c == '\r') return carriage_return();
    if (begins_word(c)) return word();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '\'' || c == '"') return text(c);
    if (c == '`') {
      ++at_;
      return open('`') ? template_text() : too_deep();
    }
    if (c == '/') return slash();
    return punctuator(c);
  }

  static Refusal too_deep() { return "deep nesting"; }

  Refusal carriage_return() {
    ++at_;
    return peek() == '\n' ? std::nullopt : Refusal("a carriage return alone");
  }

  // Bytes of texts and comments that make lines, or columns, that others count in another way.
  Refusal deceptive() const {
    const auto byte = static_cast<unsigned char>(peek());
    if (byte >= 0xF0) return "a character beyond the first plane";
    if (follows("\u2028") || follows("\u2029")) return "a line separator";
    return std::nullopt;
  }

  Refusal word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(peek())) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    const bool is_property = before_ == Before::kDot;
    if (is_property) {
      note(Before::kOther, Slash::kDivides);
      return std::nullopt;
    }
    if (const Refusal refusal = judge(word, word_)) return refusal;
    after_default_ = word == "default";
    note(Before::kWord, slash_after(word));
    if (run_.empty()) run_ = word;
    word_ = word;
    return std::nullopt;
  }

  Refusal judge(std::string_view word, std::string_view previous) const {
    if (is_one_of(word, kForbiddenWords)) return "a word with a meaning of its own";
    if (before_ == Before::kText && word == "assert") return "attributes of an import";
    if (previous == "declare" && !is_one_of(word, kDeclarable))
      return "a declaration of another kind";
    if (previous == "export" && (word == "as" || word == "import"))
      return "an export of another kind";
    if (previous == "import" && (word == "defer" || word == "source")) return "an import's phase";
    // swc drops the parentheses of `export default (function f() {})`, which declares f.
    if (after_default_ && last_ == '(' && is_one_of(word, kDeclaring)) {
      return "an export in parentheses";
    }
    // Without imports and exports esbuild gives it the scope that it has outside of modules.
    if (word == "function" && may_declare()) {
      const bool in_block = depth_ > 0 && open_[depth_ - 1] == 'b';
      if (in_block || last_ == 'c' || is_one_of(previous, kBeforeBlock)) {
        return "a function that is declared in a block";
      }
    }
    return std::nullopt;
  }

  // Whether a statement may begin here. Where one does, an expression cannot be going on.
  bool may_declare() const {
    if (slash_ != Slash::kBeginsRegExp) return true;
    return last_ == '{' || last_ == ';' || last_ == ':' || is_one_of(word_, kBeforeBlock);
  }

  // Whether a brace here may open a block of statements that is no function's body.
  bool may_open_block() const {
    return before_ == Before::kNothing || last_ == 'c' || last_ == '{' || last_ == '}' ||
           last_ == ';' || last_ == ':' || is_one_of(word_, kBeforeBlock);
  }

  static Slash slash_after(std::string_view word) {
    if (is_one_of(word, kBeforeExpression)) return Slash::kBeginsRegExp;
    if (is_one_of(word, kPerhapsBeforeExpression)) return Slash::kUnclear;
    return Slash::kDivides;
  }

  Refusal number() {
    while (is_word(peek()) || peek() == '.') {
      const bool exponent = peek() == 'e' || peek() == 'E';
      ++at_;
      if (exponent && (peek() == '+' || peek() == '-') && is_digit(peek(1))) ++at_;
    }
    note(Before::kOther, Slash::kDivides);
    return std::nullopt;
  }

  // A backslash and what it takes the meaning from. Halves of characters are a matter of taste.
  Refusal escape() {
    ++at_;
    if (peek() == 'u' && (peek(1) == 'd' || peek(1) == 'D' || peek(1) == '{')) {
      return "an escape of a rare character";
    }
    if (peek() == '\r') {
      if (peek(1) != '\n') return "a carriage return alone";
      ++at_;
    }
    if (const Refusal refusal = deceptive()) return refusal;
    ++at_;
    return std::nullopt;
  }

  Refusal text(char quote) {
    ++at_;
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == quote) {
        ++at_;
        note(Before::kText, Slash::kDivides);
        return std::nullopt;
      }
      if (c == '\n' || c == '\r') return "a text that does not end";
      if (const Refusal refusal = c == '\\' ? escape() : plain_byte()) return refusal;
    }
    return "a text that does not end";
  }

  Refusal plain_byte() {
    if (const Refusal refusal = deceptive()) return refusal;
    if (peek() == '\0') return "a null character";
    ++at_;
    return std::nullopt;
  }

  // From behind the back quote, or the brace that closes an expression, to the next of either.
  Refusal template_text() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == '`') {
        ++at_;
        close('`');
        note(Before::kOther, Slash::kDivides);
        return std::nullopt;
      }
      if (c == '$' && peek(1) == '{') {
        at_ += 2;
        note(Before::kOther, Slash::kBeginsRegExp);
        return open('$') ? std::nullopt : too_deep();
      }
      if (c == '\r') return "a carriage return in a template";
      if (const Refusal refusal = c == '\\' ? escape() : plain_byte()) return refusal;
    }
    return "a template that does not end";
  }

  Refusal slash() {
    if (peek(1) == '/') return comment("\n", 2);
    if (peek(1) == '*') return comment("*/", 2);
    switch (slash_) {
      case Slash::kUnclear:
        return "a slash of two meanings";
      case Slash::kBeginsRegExp:
        return regexp();
      case Slash::kDivides:
        ++at_;
        note(Before::kOther, Slash::kBeginsRegExp);
        return std::nullopt;
    }
    return "a slash of two meanings";
  }

  // Leaves what is known of the token before it as it is.
  Refusal comment(std::string_view end, std::size_t opening) {
    const std::size_t found = text_.find(end, at_ + opening);
    if (found == std::string_view::npos && end != "\n") return "a comment that does not end";
    const std::size_t stop = std::min(found, text_.size());
    // The engine and others take orders from comments.
    if (text_.substr(at_, stop - at_).find("URL=") != std::string_view::npos) {
      return "a comment that names another source";
    }
    while (at_ < stop) {
      if (peek() == '\r') {
        if (const Refusal refusal = carriage_return()) return refusal;
      } else if (const Refusal refusal = plain_byte()) {
        return refusal;
      }
    }
    at_ = std::min(stop + end.size(), text_.size());
    return std::nullopt;
  }

  Refusal regexp() {
    ++at_;
    bool in_class = false;
    for (; peek() != '/' || in_class; ++at_) {
      const char c = peek();
      if (c == '\0' || c == '\n' || c == '\r') return "a regular expression that does not end";
      if (const Refusal refusal = deceptive()) return refusal;
      if (c == '[') in_class = true;
      if (c == ']') in_class = false;
      if (c == '(' && peek(1) == '?' &&
          std::string_view(":=!<").find(peek(2)) == std::string_view::npos)
        return "modifiers in a regular expression";
      if (c != '\\') continue;
      ++at_;
      if (peek() == 'p' || peek() == 'P') return "a regular expression with properties";
      if (peek() == '\n' || peek() == '\r') return "a regular expression that does not end";
    }
    ++at_;
    for (; is_word(peek()); ++at_) {
      constexpr std::string_view kFlags = "dgimsuy";
      if (kFlags.find(peek()) == std::string_view::npos)
        return "a new flag of a regular expression";
    }
    note(Before::kOther, Slash::kDivides);
    return std::nullopt;
  }

  Refusal punctuator(char c) {
    switch (c) {
      case '(':
        // Whether a statement may follow the one that closes it.
        if (!open(is_one_of(word_, kBeforeControl) ? 'c' : '(')) {
          return too_deep();
        }
        break;
      case '[':
        if (!open('[')) return too_deep();
        break;
      case '{':
        if (word_ == "import") in_import_ = true;
        if (!open(may_open_block() ? 'b' : '{')) return too_deep();
        break;
      case ')':
        return closing("(c");
      case ']':
        return closing("[");
      case '}':
        if (depth_ > 0 && open_[depth_ - 1] == '$') {
          close('$');
          ++at_;
          return template_text();
        }
        // esbuild drops the whole import.
        if (last_ == '{' && in_import_) return "an import of nothing";
        in_import_ = false;
        return closing("{b");
      case '=':
        if (word_ == "export" || run_ == "import") return "an old import or export";
        break;
      case '#':
        if (!begins_word(peek(1))) return "a lone number sign";
        break;
      case '<':
        if (word_ == "default") return "an export in parentheses";
        if (follows("<!--")) return "a comment of web pages";
        break;
      case '-':
        if (follows("-->")) return "a comment of web pages";
        break;
      default:
        if (std::string_view(";,.?:!~+*%&|^>").find(c) == std::string_view::npos) {
          return "a character with a meaning of its own";
        }
    }
    ++at_;
    if (c == '#') {
      // The name that follows is no word.
      while (is_word(peek())) ++at_;
      note(Before::kOther, Slash::kDivides);
      return std::nullopt;
    }
    const bool is_twice = (c == '+' || c == '-') && peek() == c;
    if (is_twice) ++at_;
    // Before or behind an operand: `a! / b`, `a++ / b`, `f<T>(x)`.
    const bool unclear = is_twice || c == '!' || c == '>';
    // The third dot of a spread is no access.
    const bool is_dot = c == '.' && peek() != '.' && !text_.substr(0, at_).ends_with("..");
    if (c != '(') after_default_ = false;
    note(is_dot ? Before::kDot : Before::kOther, unclear ? Slash::kUnclear : Slash::kBeginsRegExp,
         c);
    return std::nullopt;
  }

  // A closing bracket whose opening one is among `openings`. What a slash is behind a block, an
  // object or a control's parenthesis is unclear.
  Refusal closing(std::string_view openings) {
    if (depth_ == 0 || openings.find(open_[depth_ - 1]) == std::string_view::npos) {
      return "brackets that do not match";
    }
    const char opening = open_[--depth_];
    const char closed = peek();
    ++at_;
    const bool unclear = opening == 'c' || closed == '}';
    after_default_ = false;
    note(Before::kOther, unclear ? Slash::kUnclear : Slash::kDivides,
         opening == 'c' ? 'c' : closed);
    return std::nullopt;
  }

  bool open(char bracket) {
    if (depth_ == open_.size()) return false;
    open_[depth_++] = bracket;
    return true;
  }
  void close(char bracket) {
    if (depth_ > 0 && open_[depth_ - 1] == bracket) --depth_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  // Open brackets: ( [ { ` as they are, $ for ${, b for a block's brace, c for a control's
  // parenthesis.
  std::array<char, kMaxNesting> open_{};
  std::size_t depth_ = 0;
  Before before_ = Before::kNothing;
  Slash slash_ = Slash::kBeginsRegExp;
  char last_ = '\0';            // the last token, when it is a punctuator; c as above
  bool after_default_ = false;  // only parentheses have come since that word
  bool in_import_ = false;      // within the braces of an import
  std::string_view word_;       // the last token, when it is a word and no property
  std::string_view run_;        // the first of the words that stand together up to it
};

// Calls `visit` with every word of `text`, whatever it stands in, that ends with a digit.
template <class Visit>
void each_numbered_word(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    const std::size_t start = at;
    while (at < text.size() && is_word(text[at])) ++at;
    if (is_digit(text[at - 1]) && !is_digit(text[start])) visit(text.substr(start, at - start));
  }
}

using WordCounts = std::map<std::string_view, std::size_t>;

WordCounts numbered_words(std::string_view text) {
  WordCounts counts;
  each_numbered_word(text, [&](std::string_view word) { ++counts[word]; });
  return counts;
}

}  // namespace

bool may_have_renamed(std::string_view source, std::string_view code) {
  const WordCounts before = numbered_words(source);
  for (const auto& [word, count] : numbered_words(code)) {
    const auto found = before.find(word);
    if (found != before.end() && found->second == count) continue;
    const std::string_view base = word.substr(0, word.find_last_not_of("0123456789") + 1);
    if (source.find(base) != std::string_view::npos) return true;
  }
  return false;
}

std::optional<std::string_view> why_not_plain(std::string_view source) {
  return Reader(source).read();
}

}  // namespace cordon

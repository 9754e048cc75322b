#pragma once
// A value that crossed between host and guest: immutable tagged JSON text (contract section 4),
// with a typed view. The text is the truth: it keeps what JSON numbers, keys and order looked like.

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace cordon {

class Value {
 public:
  Value() : text_("null") {}

  // Checks that `text` is one JSON text, nested at most 1,000 deep. Throws std::invalid_argument.
  static Value from_json(std::string text);
  // Writes `value` as JSON. An object whose keys would look like a tag is *read as that tag*.
  // Throws std::invalid_argument for what JSON lacks (use tags) and for more than 1,000 levels.
  static Value from(const nlohmann::json& value);

  const std::string& json() const noexcept { return text_; }
  // Parses on every call; tags stay the objects they are in the text. What nlohmann-json cannot
  // hold is shown as its nearest: U+FFFD for a lone surrogate, {"$num":"Infinity"} for 1e999.
  nlohmann::json view() const;

  friend bool operator==(const Value&, const Value&) = default;

 private:
  friend Value checked_value(std::string text);
  explicit Value(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace cordon

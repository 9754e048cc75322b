#pragma once
// JSON of the case files, in order and with what UTF-8 cannot hold: a lone surrogate, spelled
// \udXXX in JSON text, is one character of a private plane in memory.

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::cases {

using Json = nlohmann::ordered_json;

// A field, fixture or wording that the runner has no code for: the case fails, it is not passed
// over.
class Unknown : public std::runtime_error {
 public:
  explicit Unknown(const std::string& what)
      : std::runtime_error("the runner does not know " + what) {}
};

// Throws std::runtime_error.
Json parse_json(std::string_view text);
// The inverse, lone surrogates as escapes.
std::string json_text(const Json& value);

// Whether `text` holds what UTF-8 cannot.
bool has_lone_surrogate(const std::string& text);

// Throws Unknown, naming `what`, when `object` is none or has a key that is not in `known`.
void require_keys(const Json& object, std::initializer_list<std::string_view> known,
                  const std::string& what);
// The string at `value`, or Unknown.
std::string text_of(const Json& value, const std::string& what);
// Strings, or one string alone.
std::vector<std::string> texts_of(const Json& value, const std::string& what);
double number_of(const Json& value, const std::string& what);

// As `result`: the same value, whatever the order of keys. With `subset`, objects may have more
// keys than `expected` has, at every depth.
bool equals(const Json& expected, const Json& actual, bool subset = false);

}  // namespace cordon::cases

#include <cordon/value.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "actors/checked_value.h"
#include "actors/json_text.h"

namespace cordon {

namespace {

using Json = nlohmann::json;

std::string describe(const JsonTextError& error) {
  const std::string place = " at byte " + std::to_string(error.offset);
  switch (error.kind) {
    case JsonTextError::Kind::kUtf8:
      return "not JSON: ill-formed UTF-8" + place;
    case JsonTextError::Kind::kDepth:
      return "nested more than " + std::to_string(kMaxJsonDepth) + " deep" + place;
    case JsonTextError::Kind::kSyntax:
    case JsonTextError::Kind::kRepeatedKey:
    case JsonTextError::Kind::kNoObject:
      break;
  }
  return "not JSON" + place;
}

// What nlohmann-json would write as something else than it is.
void require_writable(const Json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    throw std::invalid_argument(R"(a number that JSON lacks: use {"$num":"NaN"} or its like)");
  }
  if (value.is_binary()) {
    throw std::invalid_argument(R"(bytes, which JSON lacks: use {"$bytes":"base64"})");
  }
  if (value.is_discarded()) throw std::invalid_argument("a discarded value");
}

// Level by level, not by recursion: dump() recurses, so depth is settled before it runs.
void require_writable_tree(const Json& root) {
  std::vector<const Json*> level{&root};
  for (std::size_t depth = 0; !level.empty(); ++depth) {
    std::vector<const Json*> below;
    for (const Json* value : level) {
      require_writable(*value);
      if (!value->is_structured()) continue;
      if (depth == kMaxJsonDepth) {
        throw std::invalid_argument("nested more than " + std::to_string(kMaxJsonDepth) + " deep");
      }
      for (const Json& child : *value) below.push_back(&child);
    }
    level = std::move(below);
  }
}

}  // namespace

Value Value::from_json(std::string text) {
  if (const auto error = find_json_error(text)) throw std::invalid_argument(describe(*error));
  return Value(std::move(text));
}

Value Value::from(const nlohmann::json& value) {
  require_writable_tree(value);
  try {
    return Value(value.dump());
  } catch (const Json::type_error&) {
    throw std::invalid_argument("text that is not well-formed UTF-8");
  }
}

Value checked_value(std::string text) { return Value(std::move(text)); }

nlohmann::json Value::view() const { return Json::parse(readable_json(text_)); }

}  // namespace cordon

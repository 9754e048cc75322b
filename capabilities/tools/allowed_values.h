#pragma once
// The values of `enum` or `const`, found in a time that hardly depends on how many there are: a
// hostile argument may ask for each of its parts.

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace cordon {

// Its value without rounding, whatever the type that it was read as: 1 and 1.0 are one number.
long double exactly(const nlohmann::json& number);

// Any strict order in which two values are equivalent when JSON Schema calls them equal. What
// differs in size is told apart by that alone, so that no long text is compared with a short one.
// Numbers are finite.
struct JsonLess {
  bool operator()(const nlohmann::json& a, const nlohmann::json& b) const;
};

// Immutable, and so thread-safe.
class AllowedValues {
 public:
  explicit AllowedValues(std::vector<nlohmann::json> values);

  bool contains(const nlohmann::json& value) const { return sorted_.contains(value); }
  // Whether arrays or objects are among them: to look for one of those takes time by its size.
  bool has_structured() const noexcept { return has_structured_; }
  const std::vector<nlohmann::json>& in_order() const noexcept { return values_; }

 private:
  std::vector<nlohmann::json> values_;  // in the order of the schema's text
  std::set<nlohmann::json, JsonLess> sorted_;
  bool has_structured_ = false;
};

}  // namespace cordon

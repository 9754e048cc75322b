#pragma once
// The part of JSON Schema that describes a tool: read and checked once, then used to judge values.
//
// Keywords: type (one or several), properties, required, additionalProperties, items, enum, const,
// minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength (in characters),
// minItems, maxItems, anyOf, oneOf; and, for people, title, description, default, examples,
// deprecated, $schema, $comment. Any other is refused, so that no rule is silently without effect.
// `pattern` is left out on purpose: a regular expression over hostile text has no bound on its
// time.
//
// Invariant: judging a value takes steps in proportion to the value's size, however large the
// schema is. A schema has no references and so no cycles, and what it lists is looked up rather
// than gone through; only forms (anyOf, oneOf) are tried one by one, and so there is a bound on
// steps.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capabilities/tools/allowed_values.h"

namespace cordon {

// Bits of Schema::types.
enum JsonType : unsigned {
  kJsonNull = 1,
  kJsonBoolean = 2,
  kJsonInteger = 4,  // a number without a fraction
  kJsonNumber = 8,
  kJsonString = 16,
  kJsonArray = 32,
  kJsonObject = 64,
};
inline constexpr unsigned kAnyJsonType = 127;

struct Schema {
  struct Property {
    std::string name;
    std::unique_ptr<const Schema> schema;
  };

  bool nothing = false;  // the schema `false`
  unsigned types = kAnyJsonType;
  std::vector<Property> properties;  // in the order of the text
  std::map<std::string, const Schema*, std::less<>> properties_by_name;
  std::vector<std::string> required;         // each once
  std::unique_ptr<const Schema> additional;  // null: anything
  std::unique_ptr<const Schema> items;       // null: anything
  std::optional<AllowedValues> allowed;      // enum, const
  std::optional<nlohmann::json> minimum, maximum, above, below;
  std::optional<std::uint64_t> min_length, max_length, min_items, max_items;
  std::vector<Schema> any_of;
  std::vector<Schema> one_of;
  std::string description;

  bool requires_property(std::string_view name) const noexcept;
  const Schema* property(std::string_view name) const noexcept;
};

// Throws InvalidOption, which names `field` and where in the schema the problem is.
Schema read_schema(const std::string& field, const std::string& text);

// A value may take this many steps for each of its parts (values, keys, and every 64 bytes of
// text), and as many again as kFreeSteps. A step is the look of one schema at one part.
inline constexpr std::size_t kStepsForEachPart = 64;
inline constexpr std::size_t kFreeSteps = 1'000'000;

// Why `schema` does not accept `value`, e.g. "`input.query` must be a string, not a number";
// nothing when it does. `root` is what paths begin with. The text is one harmless line.
// A value that takes more steps than it may is not accepted. `is_over` is asked now and then, if it
// is there: once it says true, the answer comes at once, and says nothing about the value.
std::optional<std::string> find_mismatch(const Schema& schema, const nlohmann::json& value,
                                         std::string_view root,
                                         const std::function<bool()>& is_over = {});

}  // namespace cordon

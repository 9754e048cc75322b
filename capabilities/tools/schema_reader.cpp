#include <cordon/options.h>

#include <algorithm>
#include <set>

#include "capabilities/option_checks.h"
#include "capabilities/shown_text.h"
#include "capabilities/tools/schema.h"

namespace cordon {

namespace {

using Json = nlohmann::ordered_json;  // keeps the order of properties

constexpr std::size_t kMaxSchemaBytes = std::size_t{256} << 10;
constexpr unsigned kMaxDepth = 64;

constexpr std::pair<std::string_view, unsigned> kTypes[] = {{"null", kJsonNull},
                                                            {"boolean", kJsonBoolean},
                                                            {"integer", kJsonInteger},
                                                            {"string", kJsonString},
                                                            {"array", kJsonArray},
                                                            {"object", kJsonObject},
                                                            {"number", kJsonNumber | kJsonInteger}};

Schema read(const std::string& field, const Json& in, unsigned depth);

std::unique_ptr<const Schema> read_child(const std::string& field, const Json& in, unsigned depth) {
  return std::make_unique<const Schema>(read(field, in, depth + 1));
}

const std::string& text_of(const std::string& field, const Json& in) {
  if (!in.is_string()) throw InvalidOption(field, "must be a string");
  return in.get_ref<const std::string&>();
}

const Json& array_of(const std::string& field, const Json& in) {
  if (!in.is_array() || in.empty()) throw InvalidOption(field, "must be an array with elements");
  return in;
}

unsigned type_of(const std::string& field, const Json& in) {
  const std::string& name = text_of(field, in);
  for (const auto& [known, bits] : kTypes) {
    if (name == known) return bits;
  }
  throw InvalidOption(
      field, "must be null, boolean, integer, number, string, array or object, not " + shown(name));
}

unsigned types_of(const std::string& field, const Json& in) {
  if (in.is_string()) return type_of(field, in);
  unsigned types = 0;
  for (std::size_t i = 0; i < array_of(field, in).size(); ++i)
    types |= type_of(element(field, i), in[i]);
  return types;
}

std::uint64_t size_of(const std::string& field, const Json& in) {
  if (in.is_number_unsigned()) return in.get<std::uint64_t>();
  if (in.is_number_float() && in.get<double>() >= 0 && in.get<double>() < 1e15 &&
      in.get<double>() == static_cast<double>(static_cast<std::uint64_t>(in.get<double>())))
    return static_cast<std::uint64_t>(in.get<double>());
  throw InvalidOption(field, "must be a whole number, 0 or more");
}

nlohmann::json number_of(const std::string& field, const Json& in) {
  if (!in.is_number()) throw InvalidOption(field, "must be a number");
  return in;
}

std::vector<Schema::Property> properties_of(const std::string& field, const Json& in,
                                            unsigned depth) {
  if (!in.is_object()) throw InvalidOption(field, "must be an object of schemas");
  std::vector<Schema::Property> properties;
  for (const auto& [name, schema] : in.items())
    properties.push_back({name, read_child(field + "." + shown(name), schema, depth)});
  return properties;
}

std::vector<Schema> forms_of(const std::string& field, const Json& in, unsigned depth) {
  std::vector<Schema> forms;
  for (std::size_t i = 0; i < array_of(field, in).size(); ++i)
    forms.push_back(read(element(field, i), in[i], depth + 1));
  return forms;
}

// Each once: who names a property again does not make it dearer to judge.
std::vector<std::string> names_of(const std::string& field, const Json& in) {
  if (!in.is_array()) throw InvalidOption(field, "must be an array of strings");
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::string& name = text_of(element(field, i), in[i]);
    if (seen.insert(name).second) names.push_back(name);
  }
  return names;
}

// Both `enum` and `const` may be there: then a value must be in both.
void restrict_to(Schema& schema, std::vector<nlohmann::json> values) {
  if (schema.allowed) {
    std::erase_if(values, [&](const auto& value) { return !schema.allowed->contains(value); });
  }
  schema.allowed.emplace(std::move(values));
}

bool is_for_people(std::string_view keyword) {
  constexpr std::string_view kKeywords[] = {"title",      "default", "examples",
                                            "deprecated", "$schema", "$comment"};
  return std::ranges::find(kKeywords, keyword) != std::end(kKeywords);
}

void read_keyword(Schema& out, const std::string& field, std::string_view keyword, const Json& in,
                  unsigned depth) {
  if (keyword == "type") {
    out.types = types_of(field, in);
  } else if (keyword == "properties") {
    out.properties = properties_of(field, in, depth);
    for (const auto& [name, schema] : out.properties)
      out.properties_by_name.emplace(name, schema.get());
  } else if (keyword == "required") {
    out.required = names_of(field, in);
  } else if (keyword == "additionalProperties") {
    out.additional = read_child(field, in, depth);
  } else if (keyword == "items") {
    out.items = read_child(field, in, depth);
  } else if (keyword == "enum") {
    const Json& values = array_of(field, in);
    restrict_to(out, {values.begin(), values.end()});
  } else if (keyword == "const") {
    restrict_to(out, {nlohmann::json(in)});
  } else if (keyword == "minimum") {
    out.minimum = number_of(field, in);
  } else if (keyword == "maximum") {
    out.maximum = number_of(field, in);
  } else if (keyword == "exclusiveMinimum") {
    out.above = number_of(field, in);
  } else if (keyword == "exclusiveMaximum") {
    out.below = number_of(field, in);
  } else if (keyword == "minLength") {
    out.min_length = size_of(field, in);
  } else if (keyword == "maxLength") {
    out.max_length = size_of(field, in);
  } else if (keyword == "minItems") {
    out.min_items = size_of(field, in);
  } else if (keyword == "maxItems") {
    out.max_items = size_of(field, in);
  } else if (keyword == "anyOf") {
    out.any_of = forms_of(field, in, depth);
  } else if (keyword == "oneOf") {
    out.one_of = forms_of(field, in, depth);
  } else if (keyword == "description") {
    out.description = text_of(field, in);
  } else if (!is_for_people(keyword)) {
    throw InvalidOption(field,
                        "is a keyword that tools do not support (docs/tools.md lists those "
                        "that they do): leave it out, and check it in the handler");
  }
}

Schema read(const std::string& field, const Json& in, unsigned depth) {
  if (depth > kMaxDepth) throw InvalidOption(field, "a schema may be nested 64 deep");
  Schema schema;
  if (in.is_boolean()) {
    schema.nothing = !in.get<bool>();
    return schema;
  }
  if (!in.is_object()) throw InvalidOption(field, "must be a schema: an object, true or false");
  for (const auto& [keyword, value] : in.items())
    read_keyword(schema, field + "." + shown(keyword), keyword, value, depth);
  return schema;
}

}  // namespace

Schema read_schema(const std::string& field, const std::string& text) {
  if (text.size() > kMaxSchemaBytes) throw InvalidOption(field, "a schema may have 262144 bytes");
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw InvalidOption(field, "must be JSON text");
  return read(field, json, 0);
}

}  // namespace cordon

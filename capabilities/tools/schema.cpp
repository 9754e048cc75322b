#include "capabilities/tools/schema.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "capabilities/shown_text.h"
#include "capabilities/tools/json_path.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

using nlohmann::json;
using Mismatch = std::optional<std::string>;

constexpr std::size_t kMaxListed = 20;

unsigned type_of(const json& value) {
  switch (value.type()) {
    case json::value_t::null:
      return kJsonNull;
    case json::value_t::boolean:
      return kJsonBoolean;
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
      return kJsonInteger;
    case json::value_t::number_float:
      return std::trunc(value.get<double>()) == value.get<double>() ? kJsonInteger : kJsonNumber;
    case json::value_t::string:
      return kJsonString;
    case json::value_t::array:
      return kJsonArray;
    case json::value_t::object:
      return kJsonObject;
    default:
      return 0;
  }
}

const char* kind(const json& value) {
  switch (type_of(value)) {
    case kJsonNull:
      return "null";
    case kJsonBoolean:
      return "a boolean";
    case kJsonInteger:
    case kJsonNumber:
      return "a number";
    case kJsonString:
      return "a string";
    case kJsonArray:
      return "an array";
    default:
      return "an object";
  }
}

std::string names_of(unsigned types) {
  constexpr std::pair<unsigned, const char*> kNames[] = {
      {kJsonString, "a string"}, {kJsonNumber, "a number"},  {kJsonInteger, "a whole number"},
      {kJsonArray, "an array"},  {kJsonObject, "an object"}, {kJsonBoolean, "a boolean"},
      {kJsonNull, "null"}};
  if ((types & kJsonNumber) != 0) types &= ~unsigned{kJsonInteger};
  std::string text;
  for (const auto& [bit, name] : kNames) {
    if ((types & bit) == 0) continue;
    if (!text.empty()) text += " or ";
    text += name;
  }
  return text;
}

// "`input.query` must be …"
std::string must(const JsonPath& path, const std::string& rule) {
  return "`" + path.text() + "` must " + rule;
}

std::string literal(const json& value) {
  return shown(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

// Numbers by their values: nlohmann-json compares a large unsigned number with a signed one as if
// it were negative. Holds every number of JSON text without rounding.
long double exactly(const json& number) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  if (number.is_number_unsigned())
    return static_cast<long double>(number.get<json::number_unsigned_t>());
  if (number.is_number_integer())
    return static_cast<long double>(number.get<json::number_integer_t>());
  return static_cast<long double>(number.get<json::number_float_t>());
}

bool equal(const json& a, const json& b) {
  if (a.is_number() && b.is_number()) return exactly(a) == exactly(b);
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_array()) return std::equal(a.begin(), a.end(), b.begin(), equal);
  if (!a.is_object()) return a == b;
  for (auto mine = a.begin(), other = b.begin(); mine != a.end(); ++mine, ++other) {
    if (mine.key() != other.key() || !equal(*mine, *other)) return false;
  }
  return true;
}

Mismatch judge(const Schema& schema, const json& value, const JsonPath& path);

Mismatch judge_allowed(const std::vector<json>& allowed, const json& value, const JsonPath& path) {
  if (std::ranges::any_of(allowed, [&](const json& each) { return equal(each, value); }))
    return std::nullopt;
  std::string list;
  for (std::size_t i = 0; i < std::min(allowed.size(), kMaxListed); ++i)
    list += (i == 0 ? "" : ", ") + literal(allowed[i]);
  if (allowed.size() > kMaxListed) list += ", …";
  if (allowed.size() == 1) return must(path, "be " + list);
  return must(path, "be one of " + list);
}

Mismatch judge_number(const Schema& schema, const json& value, const JsonPath& path) {
  const long double number = exactly(value);
  if (schema.minimum && number < exactly(*schema.minimum))
    return must(path, "be at least " + literal(*schema.minimum));
  if (schema.maximum && number > exactly(*schema.maximum))
    return must(path, "be at most " + literal(*schema.maximum));
  if (schema.above && number <= exactly(*schema.above))
    return must(path, "be greater than " + literal(*schema.above));
  if (schema.below && number >= exactly(*schema.below))
    return must(path, "be less than " + literal(*schema.below));
  return std::nullopt;
}

Mismatch judge_size(std::uint64_t size, const std::optional<std::uint64_t>& least,
                    const std::optional<std::uint64_t>& most, const char* unit,
                    const JsonPath& path) {
  const auto wanted = [&](const char* bound, std::uint64_t limit) {
    return must(path, std::string("have ") + bound + " " + std::to_string(limit) + " " + unit +
                          ", not " + std::to_string(size));
  };
  if (least && size < *least) return wanted("at least", *least);
  if (most && size > *most) return wanted("at most", *most);
  return std::nullopt;
}

Mismatch judge_array(const Schema& schema, const json& value, const JsonPath& path) {
  if (auto mismatch =
          judge_size(value.size(), schema.min_items, schema.max_items, "elements", path))
    return mismatch;
  if (!schema.items) return std::nullopt;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (auto mismatch = judge(*schema.items, value[i], {&path, {}, i})) return mismatch;
  }
  return std::nullopt;
}

std::string unexpected(const Schema& schema, const JsonPath& path) {
  std::string text = "`" + path.text() + "` is not expected";
  if (schema.properties.empty()) return text;
  text += ": known are ";
  for (std::size_t i = 0; i < std::min(schema.properties.size(), kMaxListed); ++i)
    text += (i == 0 ? "" : ", ") + shown(schema.properties[i].name);
  return schema.properties.size() > kMaxListed ? text + ", …" : text;
}

Mismatch judge_object(const Schema& schema, const json& value, const JsonPath& path) {
  for (const std::string& name : schema.required) {
    if (!value.contains(name)) return "`" + JsonPath{&path, name}.text() + "` is missing";
  }
  for (const auto& [name, member] : value.items()) {
    const JsonPath place{&path, name};
    const Schema* known = schema.property(name);
    if (known == nullptr) known = schema.additional.get();
    if (known == nullptr) continue;
    if (known->nothing) return unexpected(schema, place);
    if (auto mismatch = judge(*known, member, place)) return mismatch;
  }
  return std::nullopt;
}

// When only one form is for this type of value, what is wrong with that one says most.
Mismatch judge_forms(const std::vector<Schema>& forms, bool just_one, const json& value,
                     const JsonPath& path) {
  std::size_t matching = 0;
  std::vector<std::string> near;
  for (const Schema& form : forms) {
    auto mismatch = judge(form, value, path);
    if (!mismatch) {
      if (!just_one) return std::nullopt;
      ++matching;
    } else if (!form.nothing && (form.types & type_of(value)) != 0) {
      near.push_back(*std::move(mismatch));
    }
  }
  if (matching == 1) return std::nullopt;
  if (matching > 1)
    return must(path, "have exactly one of its declared forms, not " + std::to_string(matching));
  if (near.size() == 1) return near.front();
  return must(path, "have one of its declared forms");
}

Mismatch judge(const Schema& schema, const json& value, const JsonPath& path) {
  if (schema.nothing) return "`" + path.text() + "` is not expected";
  const unsigned type = type_of(value);
  if ((schema.types & type) == 0)
    return must(path, "be " + names_of(schema.types) + ", not " + kind(value));
  if (schema.allowed) {
    if (auto mismatch = judge_allowed(*schema.allowed, value, path)) return mismatch;
  }
  Mismatch mismatch;
  if ((type & (kJsonInteger | kJsonNumber)) != 0) mismatch = judge_number(schema, value, path);
  if (type == kJsonArray) mismatch = judge_array(schema, value, path);
  if (type == kJsonObject) mismatch = judge_object(schema, value, path);
  if (type == kJsonString && (schema.min_length || schema.max_length))
    mismatch = judge_size(count_characters(value.get_ref<const std::string&>()), schema.min_length,
                          schema.max_length, "characters", path);
  if (!mismatch && !schema.any_of.empty())
    mismatch = judge_forms(schema.any_of, false, value, path);
  if (!mismatch && !schema.one_of.empty()) mismatch = judge_forms(schema.one_of, true, value, path);
  return mismatch;
}

}  // namespace

bool Schema::requires_property(std::string_view name) const noexcept {
  return std::ranges::find(required, name) != required.end();
}

const Schema* Schema::property(std::string_view name) const noexcept {
  const auto found = std::ranges::find(properties, name, &Property::name);
  return found == properties.end() ? nullptr : found->schema.get();
}

std::optional<std::string> find_mismatch(const Schema& schema, const json& value,
                                         std::string_view root) {
  return judge(schema, value, {nullptr, root});
}

}  // namespace cordon

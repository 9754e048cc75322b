#include "tests/cases/runner/tagged.h"

#include <algorithm>
#include <string_view>

namespace cordon::cases {

namespace {

bool is_tag(const std::string& key) {
  constexpr std::string_view kTags[] = {"$num", "$undefined", "$bigint", "$date",  "$bytes",
                                        "$map", "$set",       "$error",  "$object"};
  return std::find(std::begin(kTags), std::end(kTags), key) != std::end(kTags);
}

// A plain value, as parsed, in tagged form.
Json tagged(const Json& plain) {
  if (plain.is_array()) {
    Json out = Json::array();
    for (const Json& each : plain) out.push_back(tagged(each));
    return out;
  }
  if (!plain.is_object()) return plain;
  const bool looks_like_a_tag = !plain.empty() && is_tag(plain.begin().key());
  Json entries = Json::array();
  Json out = Json::object();
  for (const auto& [key, each] : plain.items()) {
    if (looks_like_a_tag) {
      entries.push_back({key, tagged(each)});
    } else {
      out[key] = tagged(each);
    }
  }
  return looks_like_a_tag ? Json{{"$object", std::move(entries)}} : out;
}

bool is_undefined(const Json& value) {
  return value.is_object() && value.size() == 1 && value.contains("$undefined");
}

}  // namespace

Json without_json_tags(const Json& value) {
  if (value.is_object()) {
    if (value.size() == 1 && value.contains("$json"))
      return tagged(parse_json(text_of(value["$json"], "a $json")));
    Json out = Json::object();
    for (const auto& [key, each] : value.items()) out[key] = without_json_tags(each);
    return out;
  }
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& each : value) out.push_back(without_json_tags(each));
    return out;
  }
  return value;
}

Json as_policy(const Json& options) {
  if (!options.is_object()) return options;
  Json out = Json::object();
  for (const auto& [key, each] : options.items()) {
    if (!is_undefined(each)) out[key] = as_policy(each);
  }
  return out;
}

}  // namespace cordon::cases

#include "capabilities/tools/plain_json.h"

#include <cmath>
#include <optional>
#include <utility>

#include "capabilities/tools/json_path.h"

namespace cordon {

namespace {

using nlohmann::json;
using Problem = std::optional<std::string>;

constexpr std::string_view kUndefined = "$undefined";
constexpr std::string_view kNumber = "$num";
constexpr std::string_view kObject = "$object";

// The tags of the codec, and what they stand for.
constexpr std::pair<std::string_view, const char*> kTags[] = {{kNumber, "a number that JSON lacks"},
                                                              {kUndefined, "undefined"},
                                                              {"$bigint", "a bigint"},
                                                              {"$date", "a Date"},
                                                              {"$bytes", "bytes"},
                                                              {"$map", "a Map"},
                                                              {"$set", "a Set"},
                                                              {"$error", "an Error"},
                                                              {kObject, "a malformed object"}};

// Nothing when `value` is an ordinary value.
const std::pair<std::string_view, const char*>* tag_of(const json& value) {
  if (!value.is_object() || value.size() != 1) return nullptr;
  for (const auto& tag : kTags) {
    if (value.begin().key() == tag.first) return &tag;
  }
  return nullptr;
}

bool is_undefined(const json& value) {
  const auto* const tag = tag_of(value);
  return tag != nullptr && tag->first == kUndefined;
}

// The entries of {"$object":[["key",value],…]}; false when they are none.
bool unwrap(json& value) {
  json entries = std::move(value.begin().value());
  value = json::object();
  if (!entries.is_array()) return false;
  for (json& entry : entries) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string()) return false;
    value[entry[0].get_ref<const std::string&>()] = std::move(entry[1]);
  }
  return true;
}

Problem make_plain(json& value, const JsonPath& path, unsigned depth) {
  const auto must_be_plain = [&](const std::string& not_this) {
    return "`" + path.text() + "` must be plain JSON, not " + not_this;
  };
  if (depth > kMaxPlainJsonDepth) return must_be_plain("nested more than 1000 deep");
  if (const auto* const tag = tag_of(value)) {
    if (tag->first == kNumber && value.begin().value() == "-0") {
      value = 0;
      return std::nullopt;
    }
    if (tag->first != kObject || !unwrap(value)) return must_be_plain(tag->second);
  }
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_structured()) continue;
      if (auto problem = make_plain(value[i], {&path, {}, i}, depth + 1)) return problem;
    }
  } else if (value.is_object()) {
    for (auto member = value.begin(); member != value.end();) {
      if (is_undefined(*member)) {
        member = value.erase(member);
        continue;
      }
      if (member->is_structured()) {
        if (auto problem = make_plain(*member, {&path, member.key()}, depth + 1)) return problem;
      }
      ++member;
    }
  }
  return std::nullopt;
}

Problem add_tags(json& value, unsigned depth) {
  if (depth > kMaxPlainJsonDepth) return "is nested more than 1000 deep";
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    return "holds a number that JSON lacks";
  if (value.is_binary() || value.is_discarded()) return "holds what JSON lacks";
  for (json& member : value) {
    if (!value.is_structured()) break;
    if (auto problem = add_tags(member, depth + 1)) return problem;
  }
  if (!value.is_object() || value.empty()) return std::nullopt;
  // The codec decides by the first key.
  bool looks_like_tag = false;
  for (const auto& tag : kTags) looks_like_tag |= value.begin().key() == tag.first;
  if (!looks_like_tag) return std::nullopt;
  json entries = json::array();
  for (auto& [key, member] : value.items()) entries.push_back({key, std::move(member)});
  value = json::object();
  value[std::string(kObject)] = std::move(entries);
  return std::nullopt;
}

}  // namespace

Result<json, JsonProblem> plain_json(json tagged, std::string_view root) {
  if (auto problem = make_plain(tagged, {nullptr, root}, 0))
    return JsonProblem{*std::move(problem)};
  return tagged;
}

Result<std::string, JsonProblem> tagged_json(json plain) {
  if (auto problem = add_tags(plain, 0)) return JsonProblem{*std::move(problem)};
  try {
    return plain.dump();
  } catch (const json::type_error&) {
    return JsonProblem{"holds text that is not UTF-8"};
  }
}

}  // namespace cordon

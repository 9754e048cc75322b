#include "capabilities/tools/schema.h"

#include <algorithm>
#include <cmath>

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

// Steps for a text beside the one for the value that it is.
std::size_t steps_for(std::string_view text) { return text.size() / 64; }

// What a value takes when one schema that says something about everything looks at it.
std::size_t parts_of(const json& value) {
  if (value.is_string()) return 1 + steps_for(value.get_ref<const std::string&>());
  std::size_t parts = 1;
  if (!value.is_structured()) return parts;
  for (auto member = value.begin(); member != value.end(); ++member) {
    parts += parts_of(*member);
    if (value.is_object()) parts += 1 + steps_for(member.key());
  }
  return parts;
}

// One look at a value. Invariant: it ends, with any mismatch, soon after its steps are used up or
// nobody waits for it any more.
class Judge {
 public:
  Judge(std::size_t max_steps, const std::function<bool()>& is_over)
      : max_steps_(max_steps), is_over_(is_over) {}

  Mismatch judge(const Schema& schema, const json& value, const JsonPath& path);
  bool stopped() const noexcept { return stopped_; }

 private:
  // The words cost more than to find out, and those for a form that does not fit are not needed.
  template <typename Words>
  Mismatch wrong(const Words& words) const {
    return wordless_ > 0 ? std::string() : words();
  }
  // False: the look ends here.
  bool take(std::size_t steps);
  Mismatch judge_allowed(const AllowedValues& allowed, const json& value, const JsonPath& path);
  Mismatch judge_number(const Schema& schema, const json& value, const JsonPath& path) const;
  Mismatch judge_text(const Schema& schema, const std::string& text, const JsonPath& path);
  Mismatch judge_size(std::uint64_t size, const std::optional<std::uint64_t>& least,
                      const std::optional<std::uint64_t>& most, const char* unit,
                      const JsonPath& path) const;
  Mismatch judge_array(const Schema& schema, const json& value, const JsonPath& path);
  Mismatch judge_object(const Schema& schema, const json& value, const JsonPath& path);
  Mismatch judge_forms(const std::vector<Schema>& forms, bool just_one, const json& value,
                       const JsonPath& path);

  const std::size_t max_steps_;
  const std::function<bool()>& is_over_;
  std::size_t steps_ = 0;
  std::size_t next_question_ = 0;  // in steps: when to ask is_over_
  unsigned wordless_ = 0;          // forms that we are in
  bool stopped_ = false;
};

bool Judge::take(std::size_t steps) {
  constexpr std::size_t kBetweenQuestions = 4096;
  steps_ += steps;
  if (steps_ > max_steps_) stopped_ = true;
  if (is_over_ && !stopped_ && steps_ >= next_question_) {
    next_question_ = steps_ + kBetweenQuestions;
    stopped_ = is_over_();
  }
  return !stopped_;
}

Mismatch Judge::judge_allowed(const AllowedValues& allowed, const json& value,
                              const JsonPath& path) {
  if (value.is_structured() && allowed.has_structured() && !take(parts_of(value))) return "";
  if (allowed.contains(value)) return std::nullopt;
  return wrong([&] {
    const std::vector<json>& values = allowed.in_order();
    std::string list;
    for (std::size_t i = 0; i < std::min(values.size(), kMaxListed); ++i)
      list += (i == 0 ? "" : ", ") + literal(values[i]);
    if (values.size() > kMaxListed) list += ", …";
    return must(path, (values.size() == 1 ? "be " : "be one of ") + list);
  });
}

Mismatch Judge::judge_number(const Schema& schema, const json& value, const JsonPath& path) const {
  const long double number = exactly(value);
  const auto must_be = [&](const char* rule, const json& bound) {
    return wrong([&] { return must(path, rule + literal(bound)); });
  };
  if (schema.minimum && number < exactly(*schema.minimum))
    return must_be("be at least ", *schema.minimum);
  if (schema.maximum && number > exactly(*schema.maximum))
    return must_be("be at most ", *schema.maximum);
  if (schema.above && number <= exactly(*schema.above))
    return must_be("be greater than ", *schema.above);
  if (schema.below && number >= exactly(*schema.below))
    return must_be("be less than ", *schema.below);
  return std::nullopt;
}

Mismatch Judge::judge_size(std::uint64_t size, const std::optional<std::uint64_t>& least,
                           const std::optional<std::uint64_t>& most, const char* unit,
                           const JsonPath& path) const {
  const auto wanted = [&](const char* bound, std::uint64_t limit) {
    return wrong([&] {
      return must(path, std::string("have ") + bound + " " + std::to_string(limit) + " " + unit +
                            ", not " + std::to_string(size));
    });
  };
  if (least && size < *least) return wanted("at least", *least);
  if (most && size > *most) return wanted("at most", *most);
  return std::nullopt;
}

Mismatch Judge::judge_text(const Schema& schema, const std::string& text, const JsonPath& path) {
  if (!schema.min_length && !schema.max_length) return std::nullopt;
  if (!take(steps_for(text))) return "";
  return judge_size(count_characters(text), schema.min_length, schema.max_length, "characters",
                    path);
}

Mismatch Judge::judge_array(const Schema& schema, const json& value, const JsonPath& path) {
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

Mismatch Judge::judge_object(const Schema& schema, const json& value, const JsonPath& path) {
  for (const std::string& name : schema.required) {
    if (!take(1)) return "";
    if (!value.contains(name))
      return wrong([&] { return "`" + JsonPath{&path, name}.text() + "` is missing"; });
  }
  for (const auto& [name, member] : value.items()) {
    if (!take(1 + steps_for(name))) return "";
    const JsonPath place{&path, name};
    const Schema* known = schema.property(name);
    if (known == nullptr) known = schema.additional.get();
    if (known == nullptr) continue;
    if (known->nothing) return wrong([&] { return unexpected(schema, place); });
    if (auto mismatch = judge(*known, member, place)) return mismatch;
  }
  return std::nullopt;
}

// When only one form is for this type of value, what is wrong with that one says most.
Mismatch Judge::judge_forms(const std::vector<Schema>& forms, bool just_one, const json& value,
                            const JsonPath& path) {
  std::size_t matching = 0;
  std::vector<const Schema*> near;
  for (const Schema& form : forms) {
    ++wordless_;
    const bool fits = !judge(form, value, path);
    --wordless_;
    if (stopped_) return "";
    if (fits && !just_one) return std::nullopt;
    if (fits) {
      ++matching;
    } else if (!form.nothing && (form.types & type_of(value)) != 0) {
      near.push_back(&form);
    }
  }
  if (matching == 1) return std::nullopt;
  if (matching > 1)
    return wrong([&] {
      return must(path, "have exactly one of its declared forms, not " + std::to_string(matching));
    });
  if (near.size() == 1 && wordless_ == 0) return judge(*near.front(), value, path);
  return wrong([&] { return must(path, "have one of its declared forms"); });
}

Mismatch Judge::judge(const Schema& schema, const json& value, const JsonPath& path) {
  if (!take(1)) return "";
  if (schema.nothing) return wrong([&] { return "`" + path.text() + "` is not expected"; });
  const unsigned type = type_of(value);
  if ((schema.types & type) == 0)
    return wrong(
        [&] { return must(path, "be " + names_of(schema.types) + ", not " + kind(value)); });
  if (schema.allowed) {
    if (auto mismatch = judge_allowed(*schema.allowed, value, path)) return mismatch;
  }
  Mismatch mismatch;
  if ((type & (kJsonInteger | kJsonNumber)) != 0) mismatch = judge_number(schema, value, path);
  if (type == kJsonArray) mismatch = judge_array(schema, value, path);
  if (type == kJsonObject) mismatch = judge_object(schema, value, path);
  if (type == kJsonString) mismatch = judge_text(schema, value.get_ref<const std::string&>(), path);
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
  const auto found = properties_by_name.find(name);
  return found == properties_by_name.end() ? nullptr : found->second;
}

std::optional<std::string> find_mismatch(const Schema& schema, const json& value,
                                         std::string_view root,
                                         const std::function<bool()>& is_over) {
  Judge judge(kFreeSteps + kStepsForEachPart * parts_of(value), is_over);
  auto mismatch = judge.judge(schema, value, {nullptr, root});
  if (!judge.stopped()) return mismatch;
  return "`" + std::string(root) +
         "` must be smaller: it is too much to check by its many declared forms";
}

}  // namespace cordon

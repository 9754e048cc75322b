#include "engine/script/value_decoder.h"

#include <js/Array.h>
#include <js/ArrayBuffer.h>
#include <js/BigInt.h>
#include <js/Date.h>
#include <js/GCAPI.h>
#include <js/GCVector.h>
#include <js/JSON.h>
#include <js/MapAndSet.h>
#include <js/PropertyAndElement.h>
#include <js/String.h>
#include <js/experimental/TypedData.h>
#include <jsapi.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "engine/script/errors.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/text.h"
#include "engine/script/value_format.h"

namespace cordon::engine {

namespace {

// Characters of JSON whose values fit into a small nursery.
constexpr std::size_t kMaxNurseryText = std::size_t{64} << 10;

// What one look at the text tells.
struct Outline {
  std::size_t depth = 0;
  bool may_have_tags = false;
};

Outline outline_of(std::string_view json) {
  Outline outline;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      outline.may_have_tags |= json.substr(i + 1, 1) == "$";
      for (++i; i < json.size() && json[i] != '"'; ++i) {
        if (json[i] != '\\') continue;
        // A key may spell its dollar sign "\u0024".
        outline.may_have_tags |= json.substr(i + 1, 5) == "u0024";
        ++i;
      }
    } else if (c == '[' || c == '{') {
      outline.depth = std::max(outline.depth, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return outline;
}

// Replaces the objects that are tags by what they stand for, from the inside out.
class Untagger {
 public:
  Untagger(JSContext* cx, const char* root) : cx_(cx), path_(cx, root) {}

  bool untag(JS::MutableHandleValue value) {
    if (!value.isObject()) return true;
    JS::RootedObject object(cx_, &value.toObject());
    bool is_array = false;
    if (!JS::IsArrayObject(cx_, object, &is_array)) return false;
    return is_array ? untag_elements(object) : untag_object(object, value);
  }

 private:
  bool untag_elements(JS::HandleObject array);
  bool untag_object(JS::HandleObject object, JS::MutableHandleValue value);
  bool untag_property(JS::HandleObject object, JS::HandleId key);
  bool build(Tag tag, JS::HandleValue content, JS::MutableHandleValue value);
  bool build_number(JS::HandleValue content, JS::MutableHandleValue value);
  bool build_bigint(JS::HandleValue content, JS::MutableHandleValue value);
  bool build_date(JS::HandleValue content, JS::MutableHandleValue value);
  bool build_bytes(JS::HandleValue content, JS::MutableHandleValue value);
  bool build_map(JS::HandleValue content, JS::MutableHandleValue value);
  bool build_set(JS::HandleValue content, JS::MutableHandleValue value);
  bool build_error(JS::HandleValue content, JS::MutableHandleValue value);
  bool build_object(JS::HandleValue content, JS::MutableHandleValue value);

  // The elements of an array, or of each pair of an array of pairs.
  bool elements_of(JS::HandleValue array, JS::MutableHandleValueVector elements);
  std::optional<std::string> text_of(JS::HandleValue value);
  bool define_text(JS::HandleObject object, const char* name, std::string_view text);
  bool malformed(Tag tag);

  JSContext* cx_;
  ValuePath path_;
};

bool Untagger::untag_elements(JS::HandleObject array) {
  std::uint32_t length = 0;
  if (!JS::GetArrayLength(cx_, array, &length)) return false;
  JS::RootedValue element(cx_);
  for (std::uint32_t i = 0; i < length; ++i) {
    if (!JS_GetElement(cx_, array, i, &element)) return false;
    if (!element.isObject()) continue;
    path_.enter_index(i);
    if (!untag(&element) || !JS_DefineElement(cx_, array, i, element, JSPROP_ENUMERATE))
      return false;
    path_.leave();
  }
  return true;
}

bool Untagger::untag_object(JS::HandleObject object, JS::MutableHandleValue value) {
  JS::RootedVector<JS::PropertyKey> keys(cx_);
  if (!sm::own_keys(cx_, object, &keys)) return false;
  const std::optional<Tag> tag = keys.empty() ? std::nullopt : tag_of(keys[0]);
  // A tag with company is a mistake, not an ordinary object: the encoder never writes one.
  if (tag && keys.length() > 1) return malformed(*tag);
  for (std::size_t i = 0; i < keys.length(); ++i) {
    if (!untag_property(object, keys[i])) return false;
  }
  if (!tag) return true;
  JS::RootedValue content(cx_);
  return JS_GetPropertyById(cx_, object, keys[0], &content) && build(*tag, content, value);
}

bool Untagger::untag_property(JS::HandleObject object, JS::HandleId key) {
  JS::RootedValue value(cx_);
  if (!JS_GetPropertyById(cx_, object, key, &value)) return false;
  if (!value.isObject()) return true;
  if (!path_.enter_property(key) || !untag(&value) ||
      !JS_DefinePropertyById(cx_, object, key, value, JSPROP_ENUMERATE)) {
    return false;
  }
  path_.leave();
  return true;
}

bool Untagger::build(Tag tag, JS::HandleValue content, JS::MutableHandleValue value) {
  switch (tag) {
    case Tag::kNumber:
      return build_number(content, value);
    case Tag::kUndefined:
      value.setUndefined();
      return content.isTrue() || malformed(tag);
    case Tag::kBigInt:
      return build_bigint(content, value);
    case Tag::kDate:
      return build_date(content, value);
    case Tag::kBytes:
      return build_bytes(content, value);
    case Tag::kMap:
      return build_map(content, value);
    case Tag::kSet:
      return build_set(content, value);
    case Tag::kError:
      return build_error(content, value);
    case Tag::kObject:
      return build_object(content, value);
  }
  return malformed(tag);
}

bool Untagger::build_number(JS::HandleValue content, JS::MutableHandleValue value) {
  const auto text = text_of(content);
  if (!text) return malformed(Tag::kNumber);
  if (*text == "NaN") {
    value.setNaN();
  } else if (*text == "-0") {
    value.setDouble(-0.0);
  } else if (*text == "Infinity" || *text == "-Infinity") {
    const double infinity = std::numeric_limits<double>::infinity();
    value.setDouble(text->front() == '-' ? -infinity : infinity);
  } else {
    return malformed(Tag::kNumber);
  }
  return true;
}

bool Untagger::build_bigint(JS::HandleValue content, JS::MutableHandleValue value) {
  const auto text = text_of(content);
  if (!text) return malformed(Tag::kBigInt);
  const std::string_view digits = std::string_view(*text).substr(text->starts_with('-') ? 1 : 0);
  const bool decimal = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  if (!decimal) return malformed(Tag::kBigInt);
  JS::BigInt* big =
      JS::SimpleStringToBigInt(cx_, mozilla::Span<const char>(text->data(), text->size()), 10);
  if (big == nullptr) return false;
  value.setBigInt(big);
  return true;
}

bool Untagger::build_date(JS::HandleValue content, JS::MutableHandleValue value) {
  if (!content.isNumber()) return malformed(Tag::kDate);
  JSObject* date = JS::NewDateObject(cx_, JS::TimeClip(content.toNumber()));
  if (date == nullptr) return false;
  value.setObject(*date);
  return true;
}

bool Untagger::build_bytes(JS::HandleValue content, JS::MutableHandleValue value) {
  const auto text = text_of(content);
  const auto bytes = text ? decode_base64(*text) : std::nullopt;
  if (!bytes) return malformed(Tag::kBytes);
  JS::RootedObject array(cx_, JS_NewUint8Array(cx_, bytes->size()));
  if (!array) return false;
  const JS::AutoCheckCannotGC no_gc;
  std::ranges::copy(*bytes, sm::bytes_of(array, no_gc)->begin());
  value.setObject(*array);
  return true;
}

bool Untagger::build_map(JS::HandleValue content, JS::MutableHandleValue value) {
  JS::RootedVector<JS::Value> pairs(cx_);
  JS::RootedVector<JS::Value> pair(cx_);
  if (!elements_of(content, &pairs)) return malformed(Tag::kMap);
  JS::RootedObject map(cx_, JS::NewMapObject(cx_));
  if (!map) return false;
  for (std::size_t i = 0; i < pairs.length(); ++i) {
    if (!elements_of(pairs[i], &pair) || pair.length() != 2) return malformed(Tag::kMap);
    if (!JS::MapSet(cx_, map, pair[0], pair[1])) return false;
  }
  value.setObject(*map);
  return true;
}

bool Untagger::build_set(JS::HandleValue content, JS::MutableHandleValue value) {
  JS::RootedVector<JS::Value> members(cx_);
  if (!elements_of(content, &members)) return malformed(Tag::kSet);
  JS::RootedObject set(cx_, JS::NewSetObject(cx_));
  if (!set) return false;
  for (std::size_t i = 0; i < members.length(); ++i) {
    if (!JS::SetAdd(cx_, set, members[i])) return false;
  }
  value.setObject(*set);
  return true;
}

bool Untagger::build_error(JS::HandleValue content, JS::MutableHandleValue value) {
  static constexpr std::pair<std::string_view, JSExnType> kTypes[] = {
      {"Error", JSEXN_ERR},
      {"EvalError", JSEXN_EVALERR},
      {"RangeError", JSEXN_RANGEERR},
      {"ReferenceError", JSEXN_REFERENCEERR},
      {"SyntaxError", JSEXN_SYNTAXERR},
      {"TypeError", JSEXN_TYPEERR},
      {"URIError", JSEXN_URIERR}};
  if (!content.isObject()) return malformed(Tag::kError);
  JS::RootedObject fields(cx_, &content.toObject());
  std::optional<std::string> texts[3];
  static constexpr const char* kNames[] = {"name", "message", "stack"};
  JS::RootedValue field(cx_);
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    const auto found = sm::find_data(cx_, fields, kNames[i], &field);
    if (!found) return false;
    texts[i] = *found ? text_of(field) : std::string();
    if (!texts[i]) return malformed(Tag::kError);
  }
  const auto* type =
      std::ranges::find(kTypes, *texts[0], &std::pair<std::string_view, JSExnType>::first);
  const bool known = type != std::end(kTypes);
  JS::RootedString message(cx_, new_string(cx_, *texts[1]));
  if (!message) return false;
  JS::RootedObject error(cx_,
                         sm::create_error(cx_, known ? type->second : JSEXN_ERR, nullptr, message));
  if (!error || (!known && !texts[0]->empty() && !define_text(error, "name", *texts[0])) ||
      !define_text(error, "stack", *texts[2])) {
    return false;
  }
  value.setObject(*error);
  return true;
}

bool Untagger::build_object(JS::HandleValue content, JS::MutableHandleValue value) {
  JS::RootedVector<JS::Value> pairs(cx_);
  JS::RootedVector<JS::Value> pair(cx_);
  if (!elements_of(content, &pairs)) return malformed(Tag::kObject);
  JS::RootedObject object(cx_, JS_NewPlainObject(cx_));
  if (!object) return false;
  JS::RootedId key(cx_);
  for (std::size_t i = 0; i < pairs.length(); ++i) {
    if (!elements_of(pairs[i], &pair) || pair.length() != 2 || !pair[0].isString()) {
      return malformed(Tag::kObject);
    }
    if (!JS_ValueToId(cx_, pair[0], &key) ||
        !JS_DefinePropertyById(cx_, object, key, pair[1], JSPROP_ENUMERATE)) {
      return false;
    }
  }
  value.setObject(*object);
  return true;
}

bool Untagger::elements_of(JS::HandleValue array, JS::MutableHandleValueVector elements) {
  bool is_array = false;
  std::uint32_t length = 0;
  if (!JS::IsArrayObject(cx_, array, &is_array) || !is_array) return false;
  JS::RootedObject object(cx_, &array.toObject());
  if (!JS::GetArrayLength(cx_, object, &length) || !elements.resize(length)) return false;
  for (std::uint32_t i = 0; i < length; ++i) {
    if (!JS_GetElement(cx_, object, i, elements[i])) return false;
  }
  return true;
}

std::optional<std::string> Untagger::text_of(JS::HandleValue value) {
  if (!value.isString()) return std::nullopt;
  JS::RootedString string(cx_, value.toString());
  auto text = to_utf8(cx_, string, Surrogates::kReplace);
  if (!text) return std::nullopt;
  return std::move(text->text);
}

bool Untagger::define_text(JS::HandleObject object, const char* name, std::string_view text) {
  JS::RootedString string(cx_, new_string(cx_, text));
  return string && JS_DefineProperty(cx_, object, name, string, 0);
}

bool Untagger::malformed(Tag tag) {
  return throw_error(cx_, JSEXN_ERR,
                     path_.text() + ": malformed `" + std::string(tag_name(tag)) + "`");
}

bool parse(JSContext* cx, JS::HandleString text, JS::MutableHandleValue value) {
  // What outgrows the nursery would be moved out of it, since all of it lives on.
  std::optional<JS::AutoDisableGenerationalGC> without_nursery;
  if (JS_GetStringLength(text) > kMaxNurseryText) without_nursery.emplace(cx);
  return JS_ParseJSON(cx, text, value);
}

}  // namespace

bool decode_value(JSContext* cx, std::string_view json, const char* root,
                  JS::MutableHandleValue value) {
  const Outline outline = outline_of(json);
  if (outline.depth > kMaxValueDepth) {
    return throw_error(cx, JSEXN_ERR, std::string(root) + ": nested more than 1000 deep");
  }
  JS::RootedString text(cx, new_string(cx, json));
  if (!text || !parse(cx, text, value)) return false;
  return !outline.may_have_tags || Untagger(cx, root).untag(value);
}

}  // namespace cordon::engine

#include "engine/script/value_encoder.h"

#include <js/Array.h>
#include <js/BigInt.h>
#include <js/Conversions.h>
#include <js/Exception.h>
#include <js/GCAPI.h>
#include <js/GCVector.h>
#include <js/PropertyAndElement.h>
#include <js/String.h>
#include <jsapi.h>

#include <cmath>
#include <optional>
#include <utility>

#include "engine/script/errors.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/text.h"
#include "engine/script/value_format.h"

namespace cordon::engine {

namespace {

constexpr std::size_t kMaxReasonBytes = 1024;

class Encoder {
 public:
  Encoder(JSContext* cx, const char* root, std::size_t max_bytes)
      : cx_(cx), max_bytes_(max_bytes), path_(cx, root), ancestors_(cx) {}

  Result<std::string, EncodeError> encode(JS::HandleValue value) {
    if (!write(value) || !within_limit()) return std::move(error_);
    return std::move(out_);
  }

 private:
  // All of these are false once `error_` is set.
  bool write(JS::HandleValue value);
  bool write_number(double number);
  bool write_bigint(JS::HandleValue value);
  bool write_string(JS::HandleString string);
  bool write_object(JS::HandleObject object);
  bool write_contents(JS::HandleObject object, sm::Kind kind);
  bool write_date(JS::HandleObject date);
  bool write_bytes(JS::HandleObject object);
  bool write_error(JS::HandleObject error);
  bool write_entries(JS::HandleObject map_or_set, bool is_map);
  bool write_proxy(JS::HandleObject proxy);
  bool write_array(JS::HandleObject array, double length);
  bool write_properties(JS::HandleObject object);
  bool write_key(JS::HandleId key);

  void open_tag(Tag tag) {
    out_ += "{\"";
    out_ += tag_name(tag);
    out_ += "\":";
  }
  bool write_tag(Tag tag, std::string_view json) {
    open_tag(tag);
    out_ += json;
    out_ += '}';
    return within_limit();
  }

  bool within_limit();
  bool fail_too_large();
  bool fail(const std::string& problem);
  // A guest's getter or trap threw, or the engine gave up.
  bool fail_with_pending();

  JSContext* cx_;
  std::size_t max_bytes_;
  std::string out_;
  EncodeError error_;
  ValuePath path_;
  JS::RootedVector<JSObject*> ancestors_;
};

bool Encoder::write(JS::HandleValue value) {
  if (value.isNumber()) return write_number(value.toNumber());
  if (value.isString()) {
    JS::RootedString string(cx_, value.toString());
    return write_string(string);
  }
  if (value.isObject()) {
    JS::RootedObject object(cx_, &value.toObject());
    return write_object(object);
  }
  if (value.isUndefined()) return write_tag(Tag::kUndefined, "true");
  if (value.isNull() || value.isBoolean()) {
    out_ += value.isNull() ? "null" : value.isTrue() ? "true" : "false";
    return within_limit();
  }
  if (value.isBigInt()) return write_bigint(value);
  return fail("is a symbol, which cannot leave the sandbox");
}

bool Encoder::write_number(double number) {
  if (std::isnan(number)) return write_tag(Tag::kNumber, "\"NaN\"");
  if (std::isinf(number))
    return write_tag(Tag::kNumber, number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
  if (number == 0 && std::signbit(number)) return write_tag(Tag::kNumber, "\"-0\"");
  char text[JS::MaximumNumberToStringLength];
  JS::NumberToString(number, text);
  out_ += text;
  return within_limit();
}

bool Encoder::write_bigint(JS::HandleValue value) {
  JS::Rooted<JS::BigInt*> big(cx_, value.toBigInt());
  JS::RootedString digits(cx_, JS::BigIntToString(cx_, big, 10));
  if (!digits) return fail_with_pending();
  open_tag(Tag::kBigInt);
  if (!write_string(digits)) return false;
  out_ += '}';
  return within_limit();
}

bool Encoder::write_string(JS::HandleString string) {
  // Checked before a rope is joined.
  if (JS_GetStringLength(string) > max_bytes_) return fail_too_large();
  return append_json_string(cx_, string, max_bytes_, out_) ? within_limit() : fail_with_pending();
}

bool Encoder::write_object(JS::HandleObject object) {
  const auto kind = sm::kind_of(cx_, object);
  if (!kind) return fail_with_pending();
  if (*kind == sm::Kind::kFunction) return fail("is a function, which cannot leave the sandbox");
  if (*kind == sm::Kind::kOther) {
    return fail(std::string("is of type ") + sm::class_name(object) +
                ", which cannot leave the sandbox");
  }
  for (std::size_t i = 0; i < ancestors_.length(); ++i) {
    if (ancestors_[i] == object) return fail("is an object that contains itself");
  }
  if (ancestors_.length() == kMaxValueDepth) return fail("is nested more than 1000 deep");
  if (!ancestors_.append(object)) {
    JS_ReportOutOfMemory(cx_);
    return fail_with_pending();
  }
  const bool done = write_contents(object, *kind);
  ancestors_.popBack();
  return done;
}

bool Encoder::write_contents(JS::HandleObject object, sm::Kind kind) {
  switch (kind) {
    case sm::Kind::kArray: {
      std::uint32_t length = 0;
      if (!JS::GetArrayLength(cx_, object, &length)) return fail_with_pending();
      return write_array(object, length);
    }
    case sm::Kind::kBoxed: {
      JS::RootedValue primitive(cx_, sm::unbox(object));
      return write(primitive);
    }
    case sm::Kind::kDate:
      return write_date(object);
    case sm::Kind::kMap:
    case sm::Kind::kSet:
      return write_entries(object, kind == sm::Kind::kMap);
    case sm::Kind::kError:
      return write_error(object);
    case sm::Kind::kBytes:
      return write_bytes(object);
    case sm::Kind::kProxy:
      return write_proxy(object);
    default:
      return write_properties(object);
  }
}

bool Encoder::write_date(JS::HandleObject date) {
  const auto milliseconds = sm::date_value(cx_, date);
  if (!milliseconds) return fail_with_pending();
  open_tag(Tag::kDate);
  if (!write_number(*milliseconds)) return false;
  out_ += '}';
  return within_limit();
}

bool Encoder::write_bytes(JS::HandleObject object) {
  open_tag(Tag::kBytes);
  const JS::AutoCheckCannotGC no_gc;
  const auto bytes = sm::bytes_of(object, no_gc);
  out_ += '"';
  // Checked before the text is built.
  if (!bytes || base64_size(bytes->size()) > max_bytes_) return fail_too_large();
  append_base64(*bytes, out_);
  out_ += "\"}";
  return within_limit();
}

bool Encoder::write_error(JS::HandleObject error) {
  JS::RootedValue value(cx_, JS::ObjectValue(*error));
  const ErrorText text = read_error(cx_, value);
  open_tag(Tag::kError);
  const std::pair<const char*, const std::string*> fields[] = {
      {"{\"name\":", &text.name}, {",\"message\":", &text.message}, {",\"stack\":", &text.stack}};
  for (const auto& [key, field] : fields) {
    JS::RootedString string(cx_, new_string(cx_, *field));
    if (!string) return fail_with_pending();
    out_ += key;
    if (!write_string(string)) return false;
  }
  out_ += "}}";
  return within_limit();
}

bool Encoder::write_entries(JS::HandleObject map_or_set, bool is_map) {
  // A copy, since getters of one entry may change the collection.
  JS::RootedVector<JS::Value> entries(cx_);
  if (!sm::copy_entries(cx_, map_or_set, &entries)) return fail_with_pending();
  open_tag(is_map ? Tag::kMap : Tag::kSet);
  out_ += '[';
  for (std::size_t i = 0; i < entries.length(); ++i) {
    const bool opens_pair = is_map && i % 2 == 0;
    if (i != 0) out_ += ',';
    if (opens_pair) out_ += '[';
    path_.enter_entry(is_map ? i / 2 : i);
    if (!write(entries[i])) return false;
    path_.leave();
    if (is_map && !opens_pair) out_ += ']';
  }
  out_ += "]}";
  return within_limit();
}

bool Encoder::write_proxy(JS::HandleObject proxy) {
  bool is_array = false;
  if (!JS::IsArray(cx_, proxy, &is_array)) return fail_with_pending();
  if (!is_array) return write_properties(proxy);
  JS::RootedValue length(cx_);
  if (!JS_GetProperty(cx_, proxy, "length", &length)) return fail_with_pending();
  if (!length.isNumber()) return fail("is an array without a length");
  return write_array(proxy, length.toNumber());
}

bool Encoder::write_array(JS::HandleObject array, double length) {
  JS::RootedId key(cx_);
  JS::RootedValue element(cx_);
  out_ += '[';
  for (double i = 0; i < length; ++i) {
    if (i != 0) out_ += ',';
    const auto index = static_cast<std::uint32_t>(i);
    if (!JS_IndexToId(cx_, index, &key)) return fail_with_pending();
    path_.enter_index(index);
    const auto found = sm::get_own(cx_, array, key, &element);
    if (!found) return fail_with_pending();
    if (!*found) element.setUndefined();
    if (!write(element)) return false;
    path_.leave();
  }
  out_ += ']';
  return within_limit();
}

bool Encoder::write_properties(JS::HandleObject object) {
  JS::RootedVector<JS::PropertyKey> keys(cx_);
  if (!sm::own_keys(cx_, object, &keys)) return fail_with_pending();
  const bool looks_like_tag = !keys.empty() && tag_of(keys[0]);
  if (looks_like_tag) open_tag(Tag::kObject);
  out_ += looks_like_tag ? '[' : '{';
  JS::RootedValue value(cx_);
  bool first = true;
  for (std::size_t i = 0; i < keys.length(); ++i) {
    if (!path_.enter_property(keys[i])) return fail_with_pending();
    const auto found = sm::get_own(cx_, object, keys[i], &value);
    if (!found) return fail_with_pending();
    if (*found) {  // a getter may have deleted it
      if (!first) out_ += ',';
      first = false;
      if (looks_like_tag) out_ += '[';
      if (!write_key(keys[i])) return false;
      out_ += looks_like_tag ? ',' : ':';
      if (!write(value)) return false;
      if (looks_like_tag) out_ += ']';
    }
    path_.leave();
  }
  out_ += looks_like_tag ? "]}" : "}";
  return within_limit();
}

bool Encoder::write_key(JS::HandleId key) {
  if (key.isInt()) {
    out_ += '"' + std::to_string(key.toInt()) + '"';
    return within_limit();
  }
  JS::RootedString name(cx_, key.toString());
  return write_string(name);
}

bool Encoder::within_limit() { return out_.size() <= max_bytes_ || fail_too_large(); }

bool Encoder::fail_too_large() {
  error_ = {EncodeError::Kind::kTooLarge,
            "the result exceeds " + std::to_string(max_bytes_) + " bytes"};
  return false;
}

bool Encoder::fail(const std::string& problem) {
  error_ = {EncodeError::Kind::kBadValue, path_.text() + " " + problem};
  return false;
}

bool Encoder::fail_with_pending() {
  JS::RootedValue thrown(cx_);
  if (!JS_IsExceptionPending(cx_) || !JS_GetPendingException(cx_, &thrown) ||
      JS_IsThrowingOutOfMemory(cx_)) {
    JS_ClearPendingException(cx_);
    error_ = {EncodeError::Kind::kStopped, {}};
    return false;
  }
  JS_ClearPendingException(cx_);
  std::string reason = summarise_error(cx_, thrown);
  if (reason.size() > kMaxReasonBytes) reason = quoted(reason, kMaxReasonBytes);
  return fail("cannot be read: " + reason);
}

}  // namespace

Result<std::string, EncodeError> encode_value(JSContext* cx, JS::HandleValue value,
                                              const char* root, std::size_t max_bytes) {
  return Encoder(cx, root, max_bytes).encode(value);
}

}  // namespace cordon::engine

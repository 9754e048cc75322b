#include "engine/script/capability_arguments.h"

#include <js/Array.h>
#include <js/Conversions.h>
#include <js/PropertyAndElement.h>
#include <jsapi.h>

#include "engine/script/errors.h"
#include "engine/script/run.h"
#include "engine/script/runtime.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/wire.h"

namespace cordon::engine {

namespace {

// All names, paths, headers and command arguments of one call: they fit the host's frame beside the
// content, and no host takes as much.
constexpr std::size_t kMaxTextBytes = std::size_t{512} << 10;
constexpr std::uint32_t kMaxCommandArguments = 8192;
constexpr std::uint32_t kMaxHeaders = 4096;

}  // namespace

std::optional<std::string> ArgumentReader::text(unsigned index, const char* name) {
  return string(args_.get(index), std::string("argument `") + name + "`");
}

std::optional<std::string> ArgumentReader::content(unsigned index, const char* name) {
  return content(args_.get(index), std::string("argument `") + name + "`");
}

std::optional<std::vector<std::string>> ArgumentReader::texts(unsigned index, const char* name) {
  const std::string label = std::string("argument `") + name + "`";
  const JS::HandleValue value = args_.get(index);
  if (value.isUndefined()) return std::vector<std::string>();
  JS::RootedObject array(cx_);
  if (!to_array(value, label, "an array of strings", &array)) return std::nullopt;
  const auto length = array_length(array, label, kMaxCommandArguments);
  if (!length) return std::nullopt;
  std::vector<std::string> texts;
  JS::RootedValue element(cx_);
  for (std::uint32_t i = 0; i < *length; ++i) {
    if (!JS_GetElement(cx_, array, i, &element)) return std::nullopt;
    auto text = string(element, label + "[" + std::to_string(i) + "]");
    if (!text) return std::nullopt;
    texts.push_back(std::move(*text));
  }
  return texts;
}

std::optional<HttpArguments> ArgumentReader::http() {
  HttpArguments http;
  auto target = url();
  if (!target) return std::nullopt;
  http.url = std::move(*target);
  const JS::HandleValue init = args_.get(1);
  if (init.isUndefined()) return http;
  if (!init.isObject()) {
    refuse("argument `init`", "an object", init);
    return std::nullopt;
  }
  JS::RootedObject object(cx_, &init.toObject());
  if (!read_init(object, http)) return std::nullopt;
  return http;
}

std::optional<std::string> ArgumentReader::content(JS::HandleValue value, const std::string& name) {
  if (!value.isString()) {
    refuse(name, "a string", value);
    return std::nullopt;
  }
  JS::RootedString chars(cx_, value.toString());
  const std::size_t limit = runtime_of(cx_).run()->argument_bytes();
  auto text = to_utf8(cx_, chars, Surrogates::kReplace, limit);
  if (!text) return std::nullopt;
  return std::move(text->text);
}

std::optional<std::string> ArgumentReader::string(JS::HandleValue value, const std::string& name) {
  if (!value.isString()) {
    refuse(name, "a string", value);
    return std::nullopt;
  }
  JS::RootedString chars(cx_, value.toString());
  auto text = to_utf8(cx_, chars, Surrogates::kKeep, kMaxTextBytes - bytes_);
  if (!text) return std::nullopt;
  if (text->cut) {
    refuse(name + " is too long");
    return std::nullopt;
  }
  bytes_ += text->text.size();
  return std::move(text->text);
}

std::optional<std::string> ArgumentReader::url() {
  const JS::HandleValue value = args_.get(0);
  if (!value.isObject()) return string(value, "argument `url`");
  JS::RootedValue href(cx_);
  if (!runtime_of(cx_).href_of(value, &href)) return std::nullopt;
  if (href.isString()) return string(href, "argument `url`");
  refuse("argument `url`", "a string or a URL", value);
  return std::nullopt;
}

bool ArgumentReader::read_init(JS::HandleObject init, HttpArguments& http) {
  JS::RootedValue value(cx_);
  if (!JS_GetProperty(cx_, init, "method", &value)) return false;
  if (!value.isUndefined()) {
    http.method = string(value, "`init.method`");
    if (!http.method) return false;
  }
  if (!JS_GetProperty(cx_, init, "headers", &value)) return false;
  if (!value.isUndefined() && !read_headers(value, http)) return false;
  if (!JS_GetProperty(cx_, init, "body", &value)) return false;
  if (!value.isUndefined()) {
    http.body = content(value, "`init.body`");
    if (!http.body) return false;
  }
  return true;
}

bool ArgumentReader::read_headers(JS::HandleValue value, HttpArguments& http) {
  constexpr const char* kExpected = "an object of strings or an array of pairs";
  if (!value.isObject()) return refuse("`init.headers`", kExpected, value);
  JS::RootedObject object(cx_, &value.toObject());
  bool is_array = false;
  if (!JS::IsArray(cx_, object, &is_array)) return false;
  if (is_array) return read_header_pairs(object, http);
  const auto kind = sm::kind_of(cx_, object);
  if (!kind) return false;
  // A Map, say, has no own properties: to read it as "no headers" would be a silent mistake.
  if (*kind != sm::Kind::kPlain && *kind != sm::Kind::kProxy) {
    return refuse("`init.headers`", kExpected, value);
  }
  return read_header_object(object, http);
}

bool ArgumentReader::read_header_pairs(JS::HandleObject pairs, HttpArguments& http) {
  const auto length = array_length(pairs, "`init.headers`", kMaxHeaders);
  if (!length) return false;
  JS::RootedValue pair(cx_);
  JS::RootedValue part(cx_);
  JS::RootedObject array(cx_);
  for (std::uint32_t i = 0; i < *length; ++i) {
    const std::string label = "`init.headers[" + std::to_string(i) + "]`";
    if (!JS_GetElement(cx_, pairs, i, &pair)) return false;
    if (!to_array(pair, label, "a pair of strings", &array)) return false;
    const auto size = array_length(array, label, kMaxHeaders);
    if (!size) return false;
    if (*size != 2) return refuse(label + " must be a pair of strings");
    if (!JS_GetElement(cx_, array, 0, &part)) return false;
    auto name = string(part, label);
    if (!name || !JS_GetElement(cx_, array, 1, &part)) return false;
    auto text = string(part, label);
    if (!text) return false;
    http.headers.emplace_back(std::move(*name), std::move(*text));
  }
  return true;
}

bool ArgumentReader::read_header_object(JS::HandleObject object, HttpArguments& http) {
  JS::RootedIdVector keys(cx_);
  if (!sm::own_keys(cx_, object, &keys)) return false;
  if (keys.length() > kMaxHeaders) return refuse("`init.headers` has too many entries");
  JS::RootedValue value(cx_);
  JS::RootedString name(cx_);
  for (std::size_t i = 0; i < keys.length(); ++i) {
    JS::RootedValue key(cx_);
    if (!JS_IdToValue(cx_, keys[i], &key)) return false;
    name = JS::ToString(cx_, key);  // a string or an index: no guest code
    if (!name || !JS_GetPropertyById(cx_, object, keys[i], &value)) return false;
    key.setString(name);
    auto header = string(key, "`init.headers`");
    if (!header) return false;
    auto text = string(value, "`init.headers[" + quoted(*header, 64) + "]`");
    if (!text) return false;
    http.headers.emplace_back(std::move(*header), std::move(*text));
  }
  return true;
}

bool ArgumentReader::to_array(JS::HandleValue value, const std::string& name, const char* expected,
                              JS::MutableHandleObject array) {
  bool is_array = false;
  if (value.isObject()) {
    array.set(&value.toObject());
    if (!JS::IsArray(cx_, array, &is_array)) return false;
  }
  return is_array || refuse(name, expected, value);
}

std::optional<std::uint32_t> ArgumentReader::array_length(JS::HandleObject array,
                                                          const std::string& name,
                                                          std::uint32_t max) {
  JS::RootedValue length(cx_);
  if (!JS_GetProperty(cx_, array, "length", &length)) return std::nullopt;
  // A proxy may call itself an array and have any length.
  if (!length.isNumber() || !(length.toNumber() >= 0 && length.toNumber() <= max)) {
    refuse(name + " has too many elements");
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(length.toNumber());
}

bool ArgumentReader::refuse(const std::string& name, const char* expected, JS::HandleValue value) {
  return refuse(name + " must be " + expected + ", not " + describe_kind(cx_, value));
}

bool ArgumentReader::refuse(const std::string& text) {
  return throw_error(cx_, JSEXN_TYPEERR, std::string(function_) + ": " + text);
}

}  // namespace cordon::engine

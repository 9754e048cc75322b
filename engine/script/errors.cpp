#include "engine/script/errors.h"

#include <js/Array.h>
#include <js/BigInt.h>
#include <js/CallAndConstruct.h>
#include <js/Conversions.h>
#include <js/Exception.h>
#include <js/String.h>
#include <js/Symbol.h>
#include <kj/exception.h>

#include <array>
#include <exception>
#include <new>
#include <utility>

#include "engine/script/spidermonkey.h"
#include "engine/script/text.h"

namespace cordon::engine {

namespace {

constexpr std::size_t kMaxNameBytes = 1024;
constexpr std::size_t kMaxMessageBytes = 64 * 1024;
constexpr std::size_t kMaxStackBytes = 64 * 1024;
constexpr std::size_t kMaxPreviewBytes = 256;

// One message text for every type: the text is the only argument.
const JSErrorFormatString* error_format(void*, unsigned type) {
  static constexpr auto kFormats = [] {
    std::array<JSErrorFormatString, JSEXN_ERROR_LIMIT> formats{};
    for (std::size_t i = 0; i < formats.size(); ++i) {
      formats[i] = {"CORDON", "{0}", 1, static_cast<std::int16_t>(i)};
    }
    return formats;
  }();
  return &kFormats[type];
}

// A string property found as plain data, or empty.
std::string read_text(JSContext* cx, JS::HandleObject object, const char* name,
                      std::size_t max_bytes) {
  JS::RootedValue value(cx);
  const std::optional<bool> found = sm::find_data(cx, object, name, &value);
  JS_ClearPendingException(cx);
  if (!found.value_or(false) || !value.isString()) return {};
  JS::RootedString string(cx, value.toString());
  auto text = to_utf8(cx, string, Surrogates::kReplace, max_bytes);
  JS_ClearPendingException(cx);
  return text ? std::move(text->text) : std::string();
}

std::string read_stack(JSContext* cx, JS::HandleObject object) {
  std::string stack = read_text(cx, object, "stack", kMaxStackBytes);
  if (!stack.empty()) return stack;
  JS::RootedString captured(cx, sm::captured_stack_text(cx, object));
  if (captured) {
    if (auto text = to_utf8(cx, captured, Surrogates::kReplace, kMaxStackBytes)) {
      stack = std::move(text->text);
    }
  }
  JS_ClearPendingException(cx);
  return stack;
}

std::string text_of(JSContext* cx, JS::HandleString string, std::size_t max_bytes) {
  auto text = string ? to_utf8(cx, string, Surrogates::kReplace, max_bytes) : std::nullopt;
  JS_ClearPendingException(cx);
  return text ? std::move(text->text) : std::string();
}

// A short text for a value that is no Error.
std::string preview(JSContext* cx, JS::HandleValue value) {
  JS::RootedString string(cx);
  if (value.isObject()) {
    JSObject* object = &value.toObject();
    if (JS::IsCallable(object)) return "a function";
    return std::string("[object ") + sm::class_name(object) + "]";
  }
  if (value.isString()) {
    string = value.toString();
    return quoted(text_of(cx, string, kMaxMessageBytes), kMaxMessageBytes);
  }
  if (value.isSymbol()) {
    JS::RootedSymbol symbol(cx, value.toSymbol());
    string = JS::GetSymbolDescription(symbol);
    return "Symbol(" + text_of(cx, string, kMaxPreviewBytes) + ")";
  }
  if (value.isBigInt()) {
    JS::Rooted<JS::BigInt*> big(cx, value.toBigInt());
    double small = 0;
    if (!JS::BigIntFitsNumber(big, &small)) return "a bigint";
    string = JS::BigIntToString(cx, big, 10);
    return text_of(cx, string, kMaxPreviewBytes) + "n";
  }
  string = JS::ToString(cx, value);  // undefined, null, boolean, number: no guest code
  return text_of(cx, string, kMaxPreviewBytes);
}

}  // namespace

bool throw_error(JSContext* cx, JSExnType type, std::string_view message) {
  const std::string text(message);
  JS_ReportErrorNumberUTF8(cx, error_format, nullptr, static_cast<unsigned>(type), text.c_str());
  return false;
}

bool throw_current_exception(JSContext* cx) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    JS_ReportOutOfMemory(cx);
  } catch (const kj::Exception& error) {
    // Its what() has addresses of this process, which its siblings share.
    const kj::StringPtr description = error.getDescription();
    throw_error(cx, JSEXN_ERR, std::string(description.cStr(), description.size()));
  } catch (const std::exception& error) {
    throw_error(cx, JSEXN_ERR, error.what());
  }
  return false;
}

const char* describe_kind(JSContext* cx, JS::HandleValue value) {
  if (value.isUndefined()) return "undefined";
  if (value.isNull()) return "null";
  if (value.isBoolean()) return "a boolean";
  if (value.isNumber()) return "a number";
  if (value.isString()) return "a string";
  if (value.isBigInt()) return "a bigint";
  if (value.isSymbol()) return "a symbol";
  JS::RootedObject object(cx, &value.toObject());
  switch (sm::kind_of(cx, object).value_or(sm::Kind::kOther)) {
    case sm::Kind::kFunction:
      return "a function";
    case sm::Kind::kArray:
      return "an array";
    default:
      return "an object";
  }
}

ErrorText read_error(JSContext* cx, JS::HandleValue thrown) {
  if (thrown.isObject()) {
    JS::RootedObject object(cx, &thrown.toObject());
    ErrorText text{read_text(cx, object, "name", kMaxNameBytes),
                   read_text(cx, object, "message", kMaxMessageBytes), read_stack(cx, object)};
    const bool is_error = sm::kind_of(cx, object) == sm::Kind::kError;
    JS_ClearPendingException(cx);
    if (is_error || !text.message.empty()) {
      if (text.name.empty()) text.name = "Error";
      return text;
    }
  }
  return {"Error", "Uncaught " + preview(cx, thrown), {}};
}

std::string summarise_error(JSContext* cx, JS::HandleValue thrown) {
  const ErrorText text = read_error(cx, thrown);
  return text.message.empty() ? text.name : text.name + ": " + text.message;
}

}  // namespace cordon::engine

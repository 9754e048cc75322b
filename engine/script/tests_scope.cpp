#include "engine/script/tests_scope.h"

#include <js/CallAndConstruct.h>
#include <js/Equality.h>
#include <js/Id.h>
#include <js/Modules.h>
#include <js/Object.h>
#include <js/PropertyAndElement.h>
#include <js/ValueArray.h>
#include <jsapi.h>

#include <cctype>
#include <vector>

#include "engine/script/errors.h"
#include "engine/script/realm_guard.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/text.h"

namespace cordon::engine {

namespace {

constexpr const char* kScopeName = "__cordon_scope__";
// A direct eval: the text sees the module's names. `eval` means what it says, since the module is
// strict and the realm is restored before.
constexpr std::string_view kScope =
    "\nexport function __cordon_scope__(){return eval(arguments[0])}";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.');
    const std::size_t end = at + name.size();
    if (begins && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return all;
}

JSObject* object_property(JSContext* cx, JS::HandleObject object, const char* name) {
  JS::RootedValue value(cx);
  return JS_GetProperty(cx, object, name, &value) ? value.toObjectOrNull() : nullptr;
}

}  // namespace

std::string TestsScope::opened(std::string_view code) {
  std::string text;
  text.reserve(code.size() + kScope.size());
  return text.append(code).append(kScope);
}

bool TestsScope::enter(JS::HandleObject main) {
  JS::RootedObject space(cx_, JS::GetModuleNamespace(cx_, main));
  if (!space) return false;
  scope_ = object_property(cx_, space, kScopeName);
  return scope_ != nullptr;
}

bool TestsScope::evaluate(std::string_view text, JS::MutableHandleValue value) {
  JS::RootedString string(cx_, new_string(cx_, text));
  if (!string) return false;
  JS::RootedValueArray<1> arguments(cx_);
  arguments[0].setString(string);
  JS::RootedValue scope(cx_, JS::ObjectValue(*scope_));
  return JS::Call(cx_, JS::UndefinedHandleValue, scope, arguments, value);
}

bool TestsScope::refuse_shadowed(std::string_view body) {
  const RealmGuard& guard = runtime_.realm_guard();
  JS::RootedValue found(cx_);
  JS::RootedValue expected(cx_);
  for (std::size_t i = 0; i < guard.names().size(); ++i) {
    const std::string& name = guard.names()[i];
    if (!mentions(body, name)) continue;
    bool same = false;
    expected = guard.value(i);
    if (!evaluate(name, &found) || !JS::SameValue(cx_, found, expected, &same)) return false;
    if (same) continue;
    return throw_error(cx_, JSEXN_ERR,
                       "the program declares `" + name +
                           "`, which its tests use as the built-in: tests reach the program's own "
                           "as exports." +
                           name + ", if it is exported");
  }
  return true;
}

bool TestsScope::offer_exports() {
  commonjs_ = JS_NewPlainObject(cx_);
  commonjs_exports_ = JS_NewPlainObject(cx_);
  return commonjs_ && commonjs_exports_ &&
         JS_DefineProperty(cx_, commonjs_, "exports", commonjs_exports_, JSPROP_ENUMERATE) &&
         JS_DefineProperty(cx_, runtime_.global(), "module", commonjs_, 0) &&
         JS_DefineProperty(cx_, runtime_.global(), "exports", commonjs_exports_, 0);
}

bool TestsScope::exports(JS::HandleObject main, JS::MutableHandleValue exported) {
  if (commonjs_) {
    if (!JS_GetProperty(cx_, commonjs_, "exports", exported)) return false;
    const bool replaced = !exported.isObject() || &exported.toObject() != commonjs_exports_.get();
    const auto count = sm::own_key_count(cx_, commonjs_exports_);
    if (!count) return false;
    if (replaced || *count > 0) return true;
  }
  JS::RootedObject copy(cx_, namespace_copy(main));
  exported.setObjectOrNull(copy);
  return copy != nullptr;
}

JSObject* TestsScope::namespace_copy(JS::HandleObject main) {
  JS::RootedObject space(cx_, JS::GetModuleNamespace(cx_, main));
  JS::RootedObject copy(cx_, JS_NewPlainObject(cx_));
  JS::RootedVector<JS::PropertyKey> keys(cx_);
  if (!space || !copy || !sm::own_keys(cx_, space, &keys)) return nullptr;
  JS::RootedId key(cx_);
  JS::RootedValue value(cx_);
  for (std::size_t i = 0; i < keys.length(); ++i) {
    key = keys[i];
    bool hidden = false;
    if (key.isString() && !JS_StringEqualsAscii(cx_, key.toString(), kScopeName, &hidden)) {
      return nullptr;
    }
    if (hidden) continue;
    if (!JS_GetPropertyById(cx_, space, key, &value) ||
        !JS_DefinePropertyById(cx_, copy, key, value, JSPROP_ENUMERATE)) {
      return nullptr;
    }
  }
  return copy;
}

JSObject* TestsScope::begin(std::string_view body, const Given& given) {
  RealmGuard& guard = runtime_.realm_guard();
  if (!guard.restore() || !guard.hold() || !refuse_shadowed(body)) return nullptr;
  JS::RootedValue exported(cx_);
  JS::RootedValueVector arguments(cx_);
  for (std::size_t i = 0; i < guard.names().size(); ++i) {
    if (!arguments.append(guard.value(i))) return nullptr;
  }
  if (!exports(given.main, &exported) || !arguments.append(JS::ObjectValue(*given.require)) ||
      !arguments.append(exported) || !arguments.append(given.result)) {
    return nullptr;
  }
  // One line before the body, as the host expects it. A function of its own, so that tests may
  // declare what the parameters are called.
  const std::string text = "((" + joined(guard.names()) + ",require,exports,result)=>async()=>{\n" +
                           std::string(body) + "\n})";
  JS::RootedValue function(cx_);
  JS::RootedValue promise(cx_);
  if (!evaluate(text, &function) ||
      !JS::Call(cx_, JS::UndefinedHandleValue, function, arguments, &function) ||
      !JS::Call(cx_, JS::UndefinedHandleValue, function, JS::HandleValueArray::empty(), &promise)) {
    return nullptr;
  }
  return promise.toObjectOrNull();
}

}  // namespace cordon::engine

#include "engine/script/denial.h"

#include <js/Exception.h>
#include <js/PropertyAndElement.h>
#include <js/WeakMap.h>
#include <jsapi.h>

#include <string_view>

#include "engine/script/spidermonkey.h"
#include "engine/script/text.h"

namespace cordon::engine {

namespace {

bool define_text(JSContext* cx, JS::HandleObject object, const char* name, std::string_view text,
                 unsigned attributes) {
  JS::RootedString string(cx, new_string(cx, text));
  return string && JS_DefineProperty(cx, object, name, string, attributes);
}

}  // namespace

JSObject* Denials::create(const wire::Denial::Reader& denial, std::uint64_t request,
                          JS::HandleObject stack) {
  const std::string_view message(denial.getMessage().cStr(), denial.getMessage().size());
  const std::string_view capability(denial.getCapability().cStr(), denial.getCapability().size());
  JS::RootedString message_string(cx_, new_string(cx_, message));
  if (!message_string) return nullptr;
  JS::RootedObject error(cx_, sm::create_error(cx_, JSEXN_ERR, stack, message_string));
  if (!error || !JS_SetPrototype(cx_, error, prototype_) ||
      !define_text(cx_, error, "name", "SandboxDeniedError", 0) ||
      !define_text(cx_, error, "capability", capability, JSPROP_ENUMERATE)) {
    return nullptr;
  }
  if (denial.hasTarget()) {
    const std::string_view target(denial.getTarget().cStr(), denial.getTarget().size());
    if (!define_text(cx_, error, "target", target, JSPROP_ENUMERATE)) return nullptr;
  }
  if (!requests_) requests_ = JS::NewWeakMapObject(cx_);
  JS::RootedValue key(cx_, JS::ObjectValue(*error));
  JS::RootedValue id(cx_, JS::DoubleValue(static_cast<double>(request)));
  if (!requests_ || !JS::SetWeakMapEntry(cx_, requests_, error, id)) return nullptr;
  return error;
}

std::uint64_t Denials::request_of(JS::HandleValue thrown) const {
  if (!requests_ || !thrown.isObject()) return 0;
  JS::RootedObject object(cx_, &thrown.toObject());
  JS::RootedValue id(cx_);
  if (!JS::GetWeakMapEntry(cx_, requests_, object, &id)) {
    JS_ClearPendingException(cx_);
    return 0;
  }
  return id.isNumber() ? static_cast<std::uint64_t>(id.toNumber()) : 0;
}

}  // namespace cordon::engine

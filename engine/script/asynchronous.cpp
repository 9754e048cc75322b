#include "engine/script/asynchronous.h"

#include <js/Exception.h>
#include <js/Promise.h>
#include <js/RootingAPI.h>
#include <jsapi.h>

namespace cordon::engine {

JSObject* reject_with_pending(JSContext* cx) {
  JS::RootedValue reason(cx);
  if (!JS_IsExceptionPending(cx) || !JS_GetPendingException(cx, &reason)) return nullptr;
  JS_ClearPendingException(cx);
  JS::RootedObject promise(cx, JS::NewPromiseObject(cx, nullptr));
  return promise && JS::RejectPromise(cx, promise, reason) ? promise.get() : nullptr;
}

}  // namespace cordon::engine

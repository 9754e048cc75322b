#pragma once
// Natives that answer with a promise, as async functions do: an exception becomes a rejection.

#include <js/CallArgs.h>
#include <js/TypeDecls.h>

#include "engine/script/native.h"

namespace cordon::engine {

// Returns a promise, or null with an exception.
using AsyncNative = JSObject* (*)(JSContext*, const JS::CallArgs&, Runtime&);

// A promise rejected with the pending exception. Null when there is none, or no memory.
JSObject* reject_with_pending(JSContext* cx);

// For native<>.
template <AsyncNative function>
bool asynchronous(JSContext* cx, const JS::CallArgs& args, Runtime& runtime) {
  JSObject* promise = guarded(cx, [&] { return function(cx, args, runtime); });
  if (promise == nullptr) promise = reject_with_pending(cx);
  if (promise == nullptr) return false;
  args.rval().setObject(*promise);
  return true;
}

}  // namespace cordon::engine

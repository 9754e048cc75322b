#pragma once
// Adapts our functions to the engine's calling convention. No C++ exception may cross the engine's
// frames: one that escapes becomes a pending exception here.

#include <js/CallArgs.h>

#include <utility>

#include "engine/script/errors.h"
#include "engine/script/runtime.h"

namespace cordon::engine {

// `function` returns something that converts from `{}` to a failure: a bool or a pointer.
template <class Function>
auto guarded(JSContext* cx, Function&& function) -> decltype(function()) {
  try {
    return std::forward<Function>(function)();
  } catch (...) {
    throw_current_exception(cx);
    return {};
  }
}

template <bool (*function)(JSContext*, const JS::CallArgs&, Runtime&)>
bool native(JSContext* cx, unsigned argc, JS::Value* vp) {
  const JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  return guarded(cx, [&] { return function(cx, args, runtime_of(cx)); });
}

}  // namespace cordon::engine

#include "engine/script/prelude_bindings.h"

#include <js/ArrayBuffer.h>
#include <js/CallAndConstruct.h>
#include <js/GCAPI.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/PropertySpec.h>
#include <js/String.h>
#include <js/experimental/TypedData.h>
#include <jsapi.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/script/errors.h"
#include "engine/script/native.h"
#include "engine/script/random.h"
#include "engine/script/run.h"
#include "engine/script/runtime.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/text.h"

namespace cordon::engine {

namespace {

// The prelude is ours: a wrong type here is a mistake of its own, never a guest's.
bool misuse(JSContext* cx) { return throw_error(cx, JSEXN_TYPEERR, "wrong use of a binding"); }

std::optional<wire::ConsoleText::Level> level_of(JSContext* cx, JS::HandleValue name) {
  using Level = wire::ConsoleText::Level;
  static constexpr std::pair<const char*, Level> kLevels[] = {{"log", Level::LOG},
                                                              {"info", Level::INFO},
                                                              {"warn", Level::WARN},
                                                              {"error", Level::ERROR},
                                                              {"debug", Level::DEBUG}};
  if (!name.isString()) return std::nullopt;
  for (const auto& [text, level] : kLevels) {
    bool equal = false;
    if (JS_StringEqualsAscii(cx, name.toString(), text, &equal) && equal) return level;
  }
  return std::nullopt;
}

bool print(JSContext* cx, const JS::CallArgs& args, Runtime& runtime) {
  args.rval().setUndefined();
  const auto level = level_of(cx, args.get(0));
  if (!level || !args.get(1).isString()) return misuse(cx);
  JS::RootedString text(cx, args[1].toString());
  return runtime.run() == nullptr || runtime.run()->console().print(cx, *level, text);
}

bool start_timer(JSContext* cx, const JS::CallArgs& args, Runtime& runtime) {
  if (!args.get(0).isObject() || !JS::IsCallable(&args[0].toObject()) || !args.get(1).isNumber() ||
      !args.get(3).isObject()) {
    return misuse(cx);
  }
  JS::RootedObject callback(cx, &args[0].toObject());
  JS::RootedObject arguments(cx, &args[3].toObject());
  args.rval().setInt32(0);
  if (runtime.run() == nullptr) return true;
  args.rval().setNumber(
      runtime.run()->timers().start(callback, arguments, args[1].toNumber(), args.get(2).isTrue()));
  return true;
}

bool stop_timer(JSContext*, const JS::CallArgs& args, Runtime& runtime) {
  args.rval().setUndefined();
  if (runtime.run() == nullptr || !args.get(0).isInt32() || args[0].toInt32() <= 0) return true;
  runtime.run()->timers().stop(static_cast<std::uint32_t>(args[0].toInt32()));
  return true;
}

bool enqueue_microtask(JSContext* cx, const JS::CallArgs& args, Runtime& runtime) {
  if (!args.get(0).isObject() || !JS::IsCallable(&args[0].toObject())) return misuse(cx);
  JS::RootedObject callback(cx, &args[0].toObject());
  args.rval().setUndefined();
  return runtime.jobs().enqueue(callback);
}

bool now(JSContext*, const JS::CallArgs& args, Runtime& runtime) {
  args.rval().setDouble(runtime.run() == nullptr ? 0 : runtime.run()->elapsed_ms());
  return true;
}

bool fill_random_bytes(JSContext* cx, const JS::CallArgs& args, Runtime&) {
  if (!args.get(0).isObject()) return misuse(cx);
  args.rval().setUndefined();
  const JS::AutoCheckCannotGC no_gc;
  if (const auto bytes = sm::bytes_of(&args[0].toObject(), no_gc)) fill_random(*bytes);
  return true;
}

bool encode_utf8(JSContext* cx, const JS::CallArgs& args, Runtime&) {
  if (!args.get(0).isString()) return misuse(cx);
  JS::RootedString string(cx, args[0].toString());
  const auto text = to_utf8(cx, string, Surrogates::kReplace);
  if (!text) return false;
  JS::RootedObject array(cx, JS_NewUint8Array(cx, text->text.size()));
  if (!array) return false;
  const JS::AutoCheckCannotGC no_gc;
  std::ranges::copy(text->text, sm::bytes_of(array, no_gc)->begin());
  args.rval().setObject(*array);
  return true;
}

// (view, fatal, ignoreBom)
bool decode_utf8_bytes(JSContext* cx, const JS::CallArgs& args, Runtime&) {
  if (!args.get(0).isObject()) return misuse(cx);
  static constexpr std::array<std::uint8_t, 3> kMark = {0xEF, 0xBB, 0xBF};
  std::optional<std::u16string> units;
  {
    const JS::AutoCheckCannotGC no_gc;
    auto bytes = sm::bytes_of(&args[0].toObject(), no_gc);
    if (!bytes) return misuse(cx);
    const bool marked = bytes->size() >= 3 && std::ranges::equal(bytes->first(3), kMark);
    if (marked && !args.get(2).isTrue()) *bytes = bytes->subspan(3);
    units = decode_utf8(*bytes, args.get(1).isTrue());
  }
  if (!units) return throw_error(cx, JSEXN_TYPEERR, "the bytes are not well-formed UTF-8");
  JSString* string = JS_NewUCStringCopyN(cx, units->data(), units->size());
  if (string == nullptr) return false;
  args.rval().setString(string);
  return true;
}

bool promise_state(JSContext* cx, const JS::CallArgs& args, Runtime&) {
  JS::RootedObject promise(cx, args.get(0).isObject() ? &args[0].toObject() : nullptr);
  if (!promise || !JS::IsPromiseObject(promise)) return misuse(cx);
  const JS::PromiseState state = JS::GetPromiseState(promise);
  const bool pending = state == JS::PromiseState::Pending;
  JS::RootedValue result(cx, pending ? JS::UndefinedValue() : JS::GetPromiseResult(promise));
  JS::RootedString name(cx,
                        JS_NewStringCopyZ(cx, pending                                ? "pending"
                                              : state == JS::PromiseState::Fulfilled ? "fulfilled"
                                                                                     : "rejected"));
  JS::RootedObject answer(cx, JS_NewPlainObject(cx));
  if (!answer || !name || !JS_DefineProperty(cx, answer, "state", name, JSPROP_ENUMERATE) ||
      !JS_DefineProperty(cx, answer, "result", result, JSPROP_ENUMERATE)) {
    return false;
  }
  args.rval().setObject(*answer);
  return true;
}

bool proxy_target(JSContext*, const JS::CallArgs& args, Runtime&) {
  args.rval().setUndefined();
  if (args.get(0).isObject() && sm::is_scripted_proxy(&args[0].toObject())) {
    args.rval().setObjectOrNull(sm::proxy_target(&args[0].toObject()));
  }
  return true;
}

bool class_name(JSContext* cx, const JS::CallArgs& args, Runtime&) {
  if (!args.get(0).isObject()) return misuse(cx);
  JSString* name = JS_AtomizeString(cx, sm::class_name(&args[0].toObject()));
  if (name == nullptr) return false;
  args.rval().setString(name);
  return true;
}

bool detach(JSContext* cx, const JS::CallArgs& args, Runtime&) {
  JS::RootedObject buffer(cx, args.get(0).isObject() ? &args[0].toObject() : nullptr);
  if (!buffer || !JS::IsArrayBufferObject(buffer)) return misuse(cx);
  args.rval().setUndefined();
  return JS::DetachArrayBuffer(cx, buffer);
}

constexpr JSFunctionSpec kBindings[] = {JS_FN("print", native<print>, 2, 0),
                                        JS_FN("startTimer", native<start_timer>, 4, 0),
                                        JS_FN("stopTimer", native<stop_timer>, 1, 0),
                                        JS_FN("enqueueMicrotask", native<enqueue_microtask>, 1, 0),
                                        JS_FN("now", native<now>, 0, 0),
                                        JS_FN("fillRandom", native<fill_random_bytes>, 1, 0),
                                        JS_FN("encodeUtf8", native<encode_utf8>, 1, 0),
                                        JS_FN("decodeUtf8", native<decode_utf8_bytes>, 3, 0),
                                        JS_FN("promiseState", native<promise_state>, 1, 0),
                                        JS_FN("proxyTarget", native<proxy_target>, 1, 0),
                                        JS_FN("className", native<class_name>, 1, 0),
                                        JS_FN("detach", native<detach>, 1, 0),
                                        JS_FS_END};

}  // namespace

JSObject* create_prelude_bindings(JSContext* cx) {
  JS::RootedObject bindings(cx, JS_NewPlainObject(cx));
  return bindings && JS_DefineFunctions(cx, bindings, kBindings) ? bindings.get() : nullptr;
}

}  // namespace cordon::engine

// Runs one golden script in SpiderMonkey with the real prelude: prelude_host SCRIPT
// [ASSERT_MODULE].
//
// The script is a module that may import "assert". Console text goes to standard output, with the
// level before it unless that is "log". Time is virtual: a timer is due when all earlier ones have
// run, so output is the same on every run.

#include <js/Array.h>
#include <js/ArrayBuffer.h>
#include <js/CharacterEncoding.h>
#include <js/CompilationAndEvaluation.h>
#include <js/ContextOptions.h>
#include <js/Conversions.h>
#include <js/Exception.h>
#include <js/Initialization.h>
#include <js/Modules.h>
#include <js/Object.h>
#include <js/Promise.h>
#include <js/Proxy.h>
#include <js/RealmOptions.h>
#include <js/SourceText.h>
#include <js/experimental/TypedData.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/js/prelude_source.h"

namespace {

// Longer console texts are told by their length only.
constexpr size_t kLongText = 16384;

struct Timer {
  Timer(JSContext* cx, JSObject* callback_object, JSObject* arguments_object)
      : callback(cx, callback_object), arguments(cx, arguments_object) {}

  int32_t id = 0;
  double due = 0;
  double period = -1;  // negative: once
  JS::PersistentRootedObject callback;
  JS::PersistentRootedObject arguments;
};

struct Host {
  std::vector<std::unique_ptr<Timer>> timers;
  int32_t last_timer = 0;
  double now = 0;
  std::string assert_path;
  std::unique_ptr<JS::PersistentRootedObject> assert_module;
};

Host& host_of(JSContext* cx) { return *static_cast<Host*>(JS_GetContextPrivate(cx)); }

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string utf8(JSContext* cx, JS::HandleValue value) {
  JS::RootedString text(cx, JS::ToString(cx, value));
  JS::UniqueChars chars = text ? JS_EncodeStringToUTF8(cx, text) : nullptr;
  return chars ? chars.get() : "?";
}

// Prints what was thrown, as the last resort of a script that went wrong.
void report(JSContext* cx) {
  JS::RootedValue error(cx);
  if (!JS_GetPendingException(cx, &error)) return;
  JS_ClearPendingException(cx);
  std::printf("uncaught: %s\n", utf8(cx, error).c_str());
}

// ---- bindings

bool print(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  const std::string level = utf8(cx, args[0]);
  const std::string prefix = level == "log" ? "" : level + ": ";
  const std::string text = utf8(cx, args[1]);
  if (text.size() > kLongText) {
    std::printf("%s<%zu bytes>\n", prefix.c_str(), text.size());
  } else {
    std::printf("%s%s\n", prefix.c_str(), text.c_str());
  }
  args.rval().setUndefined();
  return true;
}

bool start_timer(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  Host& host = host_of(cx);
  auto timer = std::make_unique<Timer>(cx, &args[0].toObject(), &args[3].toObject());
  timer->id = ++host.last_timer;
  timer->due = host.now + args[1].toNumber();
  if (args[2].toBoolean()) timer->period = args[1].toNumber();
  args.rval().setInt32(timer->id);
  host.timers.push_back(std::move(timer));
  return true;
}

bool stop_timer(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  const double id = args[0].toNumber();
  std::erase_if(host_of(cx).timers, [id](const auto& timer) { return timer->id == id; });
  args.rval().setUndefined();
  return true;
}

bool run_microtask(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  JS::RootedValue callback(cx, js::GetFunctionNativeReserved(&args.callee(), 0));
  JS::RootedValue ignored(cx);
  if (!JS::Call(cx, JS::UndefinedHandleValue, callback, JS::HandleValueArray::empty(), &ignored))
    report(cx);
  args.rval().setUndefined();
  return true;
}

bool enqueue_microtask(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  JS::RootedObject resolved(cx, JS::CallOriginalPromiseResolve(cx, JS::UndefinedHandleValue));
  JSFunction* function = js::NewFunctionWithReserved(cx, run_microtask, 0, 0, "microtask");
  if (!resolved || !function) return false;
  JS::RootedObject job(cx, JS_GetFunctionObject(function));
  js::SetFunctionNativeReserved(job, 0, args[0]);
  args.rval().setUndefined();
  return JS::AddPromiseReactions(cx, resolved, job, nullptr);
}

bool now(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgsFromVp(argc, vp).rval().setDouble(host_of(cx).now);
  return true;
}

// Counts up instead of drawing numbers: scripts print what they got.
bool fill_random(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  JS::AutoCheckCannotGC no_gc(cx);
  bool shared = false;
  size_t length = 0;
  uint8_t* bytes = nullptr;
  js::GetUint8ArrayLengthAndData(&args[0].toObject(), &length, &shared, &bytes);
  for (size_t i = 0; i < length; i++) bytes[i] = static_cast<uint8_t>(i);
  args.rval().setUndefined();
  return true;
}

bool encode_utf8(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  const std::string bytes = utf8(cx, args[0]);
  JS::RootedObject array(cx, JS_NewUint8Array(cx, bytes.size()));
  if (!array) return false;
  JS::AutoCheckCannotGC no_gc(cx);
  bool shared = false;
  std::copy(bytes.begin(), bytes.end(), JS_GetUint8ArrayData(array, &shared, no_gc));
  args.rval().setObject(*array);
  return true;
}

const JSErrorFormatString* ill_formed_utf8(void*, unsigned) {
  static const JSErrorFormatString kFormat = {"", "the encoded data is not valid utf-8", 0,
                                              JSEXN_TYPEERR};
  return &kFormat;
}

bool decode_utf8(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  std::string bytes;
  {
    JS::AutoCheckCannotGC no_gc(cx);
    bool shared = false;
    size_t length = 0;
    uint8_t* data = nullptr;
    js::GetUint8ArrayLengthAndData(&args[0].toObject(), &length, &shared, &data);
    bytes.assign(data, data + length);
  }
  const JS::UTF8Chars chars(bytes.data(), bytes.size());
  size_t length = 0;
  JS::UniqueTwoByteChars text;
  if (args[1].toBoolean()) {
    text.reset(JS::UTF8CharsToNewTwoByteCharsZ(cx, chars, &length, js::MallocArena).get());
    if (!text) {
      JS_ClearPendingException(cx);
      JS_ReportErrorNumberASCII(cx, ill_formed_utf8, nullptr, 0);
      return false;
    }
  } else {
    text.reset(JS::LossyUTF8CharsToNewTwoByteCharsZ(cx, chars, &length, js::MallocArena).get());
  }
  JSString* result = text ? JS_NewUCStringCopyN(cx, text.get(), length) : nullptr;
  if (!result) return false;
  args.rval().setString(result);
  return true;
}

bool promise_state(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  JS::RootedObject promise(cx, &args[0].toObject());
  JS::RootedObject result(cx, JS_NewPlainObject(cx));
  if (!result) return false;
  const JS::PromiseState state = JS::GetPromiseState(promise);
  const char* name = state == JS::PromiseState::Pending     ? "pending"
                     : state == JS::PromiseState::Fulfilled ? "fulfilled"
                                                            : "rejected";
  JS::RootedString text(cx, JS_NewStringCopyZ(cx, name));
  JS::RootedValue value(cx);
  if (state != JS::PromiseState::Pending) value = JS::GetPromiseResult(promise);
  args.rval().setObject(*result);
  return text && JS_DefineProperty(cx, result, "state", text, JSPROP_ENUMERATE) &&
         JS_DefineProperty(cx, result, "result", value, JSPROP_ENUMERATE);
}

bool proxy_target(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  JS::RootedObject object(cx, &args[0].toObject());
  if (js::IsScriptedProxy(object))
    args.rval().setObjectOrNull(js::GetProxyTargetObject(object));
  else
    args.rval().setUndefined();
  return true;
}

bool class_name(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  JSString* name = JS_NewStringCopyZ(cx, JS::GetClass(&args[0].toObject())->name);
  if (!name) return false;
  args.rval().setString(name);
  return true;
}

bool detach(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  JS::RootedObject buffer(cx, &args[0].toObject());
  args.rval().setUndefined();
  return JS::DetachArrayBuffer(cx, buffer);
}

const JSFunctionSpec kBindings[] = {
    JS_FN("print", print, 2, 0),
    JS_FN("startTimer", start_timer, 4, 0),
    JS_FN("stopTimer", stop_timer, 1, 0),
    JS_FN("enqueueMicrotask", enqueue_microtask, 1, 0),
    JS_FN("now", now, 0, 0),
    JS_FN("fillRandom", fill_random, 1, 0),
    JS_FN("encodeUtf8", encode_utf8, 1, 0),
    JS_FN("decodeUtf8", decode_utf8, 3, 0),
    JS_FN("promiseState", promise_state, 1, 0),
    JS_FN("proxyTarget", proxy_target, 1, 0),
    JS_FN("className", class_name, 1, 0),
    JS_FN("detach", detach, 1, 0),
    JS_FS_END,
};

// ---- realm and scripts

// Evaluates the prelude and installs it. Its hook is given to the script as `hrefOf`, for the
// tests.
bool install_prelude(JSContext* cx, JS::HandleObject global) {
  const std::string_view source = cordon::engine::prelude_source();
  JS::CompileOptions options(cx);
  options.setFileAndLine("prelude", 1);
  JS::SourceText<mozilla::Utf8Unit> text;
  JS::RootedValue install(cx);
  JS::RootedValue hooks(cx);
  JS::RootedObject bindings(cx, JS_NewPlainObject(cx));
  if (!text.init(cx, source.data(), source.size(), JS::SourceOwnership::Borrowed) ||
      !JS::Evaluate(cx, options, text, &install) || !JS_DefineFunctions(cx, bindings, kBindings)) {
    return false;
  }
  JS::RootedValueArray<1> arguments(cx);
  arguments[0].setObject(*bindings);
  if (!JS::Call(cx, JS::UndefinedHandleValue, install, arguments, &hooks)) return false;
  JS::RootedObject hooks_object(cx, &hooks.toObject());
  JS::RootedValue href_of(cx);
  return JS_GetProperty(cx, hooks_object, "hrefOf", &href_of) &&
         JS_DefineProperty(cx, global, "hrefOf", href_of, 0);
}

JSObject* compile(JSContext* cx, const std::string& path) {
  const std::string source = read_file(path);
  JS::CompileOptions options(cx);
  const std::string name = path.substr(path.find_last_of('/') + 1);
  options.setFileAndLine(name.c_str(), 1);
  JS::SourceText<mozilla::Utf8Unit> text;
  if (!text.init(cx, source.data(), source.size(), JS::SourceOwnership::Borrowed)) return nullptr;
  return JS::CompileModule(cx, options, text);
}

JSObject* resolve(JSContext* cx, JS::HandleValue, JS::HandleObject) {
  Host& host = host_of(cx);
  if (!host.assert_module) {
    JSObject* module = compile(cx, host.assert_path);
    if (!module) return nullptr;
    host.assert_module = std::make_unique<JS::PersistentRootedObject>(cx, module);
  }
  return *host.assert_module;
}

void run_timers(JSContext* cx) {
  Host& host = host_of(cx);
  js::RunJobs(cx);
  while (!host.timers.empty()) {
    auto next = host.timers.begin();
    for (auto it = next; it != host.timers.end(); ++it) {
      if ((*it)->due < (*next)->due) next = it;
    }
    std::unique_ptr<Timer> timer = std::move(*next);
    host.timers.erase(next);
    host.now = timer->due;
    JS::RootedValue callback(cx, JS::ObjectValue(*timer->callback));
    JS::RootedValueVector arguments(cx);
    uint32_t length = 0;
    JS::GetArrayLength(cx, timer->arguments, &length);
    for (uint32_t i = 0; i < length; i++) {
      JS::RootedValue value(cx);
      if (!JS_GetElement(cx, timer->arguments, i, &value) || !arguments.append(value)) return;
    }
    if (timer->period >= 0) {
      timer->due += timer->period;
      host.timers.push_back(std::move(timer));
    }
    JS::RootedValue ignored(cx);
    if (!JS::Call(cx, JS::UndefinedHandleValue, callback, arguments, &ignored)) report(cx);
    js::RunJobs(cx);
  }
}

bool run(JSContext* cx, const char* path) {
  JS::RealmOptions options;
  options.creationOptions().setSharedMemoryAndAtomicsEnabled(false).setWeakRefsEnabled(
      JS::WeakRefSpecifier::EnabledWithoutCleanupSome);
  static const JSClass kGlobalClass = {
      "global", JSCLASS_GLOBAL_FLAGS, &JS::DefaultGlobalClassOps, nullptr, nullptr, nullptr};
  JS::RootedObject global(
      cx, JS_NewGlobalObject(cx, &kGlobalClass, nullptr, JS::FireOnNewGlobalHook, options));
  if (!global) return false;
  JSAutoRealm realm(cx, global);
  if (!install_prelude(cx, global)) {
    report(cx);
    return false;
  }
  JS::SetModuleResolveHook(JS_GetRuntime(cx), resolve);
  JS::RootedObject module(cx, compile(cx, path));
  JS::RootedValue promise(cx);
  if (!module || !JS::ModuleInstantiate(cx, module) || !JS::ModuleEvaluate(cx, module, &promise)) {
    report(cx);
    return false;
  }
  run_timers(cx);
  JS::RootedObject evaluation(cx, &promise.toObject());
  const bool done = JS::GetPromiseState(evaluation) == JS::PromiseState::Fulfilled;
  if (!done) {
    JS::RootedValue reason(cx, JS::GetPromiseResult(evaluation));
    std::printf("the script did not complete: %s\n", utf8(cx, reason).c_str());
  }
  host_of(cx).timers.clear();
  host_of(cx).assert_module.reset();
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || !JS_Init()) return 2;
  JSContext* cx = JS_NewContext(256u << 20);
  if (!cx) return 2;
  Host host;
  if (argc > 2) host.assert_path = argv[2];
  JS_SetContextPrivate(cx, &host);
  JS::ContextOptionsRef(cx).setWasm(false);
  const bool ok = js::UseInternalJobQueues(cx) && JS::InitSelfHostedCode(cx) && run(cx, argv[1]);
  JS_DestroyContext(cx);
  JS_ShutDown();
  return ok ? 0 : 1;
}

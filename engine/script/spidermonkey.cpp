#include "engine/script/spidermonkey.h"

#include <js/Array.h>
#include <js/ArrayBuffer.h>
#include <js/CallAndConstruct.h>
#include <js/CharacterEncoding.h>
#include <js/CompilationAndEvaluation.h>
#include <js/CompileOptions.h>
#include <js/Context.h>
#include <js/ContextOptions.h>
#include <js/Date.h>
#include <js/Exception.h>
#include <js/GCAPI.h>
#include <js/HeapAPI.h>
#include <js/HelperThreadAPI.h>
#include <js/Initialization.h>
#include <js/Interrupt.h>
#include <js/LocaleSensitive.h>
#include <js/MapAndSet.h>
#include <js/MemoryCallbacks.h>
#include <js/Modules.h>
#include <js/Object.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/PropertyDescriptor.h>
#include <js/Proxy.h>
#include <js/Realm.h>
#include <js/RealmOptions.h>
#include <js/SourceText.h>
#include <js/Stack.h>
#include <js/String.h>
#include <js/experimental/TypedData.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include <algorithm>
#include <limits>

namespace cordon::engine::sm {

namespace {

// The engine asks for helper threads here, holding its lock. Recording nothing is enough: what is
// never started is run by whoever waits for it, on the only thread.
void ignore_helper_task(JS::DispatchReason) {}

constexpr std::size_t kHelperStackBytes = 512 * 1024;
constexpr int kMaxPrototypes = 64;

// Hands promise jobs to the host. Made once and never destroyed, like the context.
class HostJobQueue final : public JS::JobQueue {
 public:
  JSObject* getIncumbentGlobal(JSContext* cx) override { return JS::CurrentGlobalOrNull(cx); }
  bool enqueuePromiseJob(JSContext* cx, JS::HandleObject, JS::HandleObject job, JS::HandleObject,
                         JS::HandleObject) override {
    return host_of(cx).enqueue_job(cx, job);
  }
  // For debuggers only, and there is none.
  void runJobs(JSContext*) override {}
  bool empty() const override { return true; }
  js::UniquePtr<SavedJobQueue> saveJobQueue(JSContext*) override { return nullptr; }
};

bool on_interrupt(JSContext* cx) { return host_of(cx).may_continue(); }

double on_date_now(double system_us, JSContext* cx) { return host_of(cx).date_now(system_us); }

void on_collection(JSContext* cx, JSGCStatus status, JS::GCReason, void*) {
  if (status == JSGC_END) host_of(cx).collected(cx);
}

void on_out_of_memory(JSContext* cx, void*) { host_of(cx).out_of_memory_reported(); }

void on_rejection(JSContext* cx, bool, JS::HandleObject promise,
                  JS::PromiseRejectionHandlingState state, void*) {
  host_of(cx).rejection_changed(cx, promise, state == JS::PromiseRejectionHandlingState::Handled);
}

JSObject* on_resolve(JSContext* cx, JS::HandleValue, JS::HandleObject request) {
  JS::RootedString specifier(cx, JS::GetModuleRequestSpecifier(cx, request));
  return specifier ? host_of(cx).resolve_module(cx, specifier) : nullptr;
}

bool on_dynamic_import(JSContext* cx, JS::HandleValue referrer, JS::HandleObject request,
                       JS::HandleObject promise) {
  JS::RootedString specifier(cx, JS::GetModuleRequestSpecifier(cx, request));
  return specifier && host_of(cx).import_dynamically(cx, referrer, request, specifier, promise);
}

bool on_import_meta(JSContext* cx, JS::HandleValue label, JS::HandleObject meta) {
  return host_of(cx).fill_import_meta(cx, label, meta);
}

bool init_source(JSContext* cx, JS::SourceText<mozilla::Utf8Unit>& source, std::string_view code) {
  return source.init(cx, code.data(), code.size(), JS::SourceOwnership::Borrowed);
}

void set_options(JSContext* cx, const ContextOptions& options) {
  JS::ContextOptionsRef(cx)
      .setWasm(false)
      .setAsmJS(false)
      // A stack for every promise would make `await` three times as slow.
      .setAsyncStack(false)
      // `//# sourceURL` would let a guest name its stack frames after another file.
      .setSourcePragmas(false);
  JS_SetOffthreadIonCompilationEnabled(cx, false);
  JS_SetParallelParsingEnabled(cx, false);
  JS_SetGCParameter(cx, JSGC_MAX_HELPER_THREADS, 1);
  JS_SetNativeStackQuota(cx, options.native_stack_bytes);
}

}  // namespace

Result<JSContext*, std::string> create_context(const ContextOptions& options, Host& host) {
  if (!options.jit) JS::DisableJitBackend();
  if (const char* reason = JS_InitWithFailureDiagnostic()) return std::string(reason);
  // Between the two: earlier there is nothing to set, later the engine has its own threads.
  JS::SetHelperThreadTaskCallback(ignore_helper_task, 1, kHelperStackBytes);
  JSContext* cx = JS_NewContext(std::numeric_limits<std::uint32_t>::max());
  if (cx == nullptr) return std::string("JS_NewContext failed");
  JS_SetContextPrivate(cx, &host);
  set_options(cx, options);

  JS::SetJobQueue(cx, new HostJobQueue);
  if (!JS::InitSelfHostedCode(cx)) return std::string("JS::InitSelfHostedCode failed");
  if (!JS_AddInterruptCallback(cx, on_interrupt)) return std::string("no interrupt callback");
  JS::SetPromiseRejectionTrackerCallback(cx, on_rejection);
  JS::SetReduceMicrosecondTimePrecisionCallback(on_date_now);
  JS_SetGCCallback(cx, on_collection, nullptr);
  JS::SetOutOfMemoryCallback(cx, on_out_of_memory, nullptr);
  JSRuntime* runtime = JS_GetRuntime(cx);
  JS::SetModuleResolveHook(runtime, on_resolve);
  JS::SetModuleDynamicImportHook(runtime, on_dynamic_import);
  JS::SetModuleMetadataHook(runtime, on_import_meta);
  if (!JS_SetDefaultLocale(runtime, "en-US")) return std::string("JS_SetDefaultLocale failed");
  return cx;
}

Host& host_of(JSContext* cx) { return *static_cast<Host*>(JS_GetContextPrivate(cx)); }

std::string version() {
  std::string_view name = JS_GetImplementationVersion();  // "JavaScript-C102.15.1"
  if (const auto digit = name.find_first_of("0123456789"); digit != name.npos) {
    name.remove_prefix(digit);
  }
  return "mozjs-" + std::string(name);
}

std::size_t heap_chunk_bytes() noexcept { return js::gc::ChunkSize; }

JSObject* create_global(JSContext* cx) {
  static const JSClass global_class = {
      "global", JSCLASS_GLOBAL_FLAGS, &JS::DefaultGlobalClassOps, nullptr, nullptr, nullptr};
  JS::RealmOptions options;
  options.creationOptions()
      .setWeakRefsEnabled(JS::WeakRefSpecifier::EnabledWithoutCleanupSome)
      // No memory that could be shared or waited on, and no Atomics with it.
      .setSharedMemoryAndAtomicsEnabled(false);
  // What makes the engine ask us what time it is.
  options.behaviors().setClampAndJitterTime(true);
  return JS_NewGlobalObject(cx, &global_class, nullptr, JS::FireOnNewGlobalHook, options);
}

JSObject* compile_module(JSContext* cx, const std::string& file_name, std::string_view code,
                         JS::HandleValue label) {
  JS::CompileOptions options(cx);
  options.setFileAndLine(file_name.c_str(), 1);
  JS::SourceText<mozilla::Utf8Unit> source;
  if (!init_source(cx, source, code)) return nullptr;
  JSObject* module = JS::CompileModule(cx, options, source);
  if (module != nullptr) JS::SetModulePrivate(module, label);
  return module;
}

bool link_module(JSContext* cx, JS::HandleObject module) {
  return JS::ModuleInstantiate(cx, module);
}

JSObject* evaluate_module(JSContext* cx, JS::HandleObject module) {
  JS::RootedValue promise(cx);
  if (!JS::ModuleEvaluate(cx, module, &promise)) return nullptr;
  return promise.toObjectOrNull();
}

bool finish_dynamic_import(JSContext* cx, JS::HandleObject evaluation, JS::HandleValue referrer,
                           JS::HandleObject request, JS::HandleObject promise) {
  return JS::FinishDynamicModuleImport(cx, evaluation, referrer, request, promise);
}

bool evaluate_script(JSContext* cx, const char* file_name, std::string_view code,
                     JS::MutableHandleValue completion) {
  JS::CompileOptions options(cx);
  options.setFileAndLine(file_name, 1);
  JS::SourceText<mozilla::Utf8Unit> source;
  return init_source(cx, source, code) && JS::Evaluate(cx, options, source, completion);
}

void job_queue_ran_dry(JSContext* cx) { JS::JobQueueIsEmpty(cx); }
void job_queue_filled(JSContext* cx) { JS::JobQueueMayNotBeEmpty(cx); }
void clear_kept_objects(JSContext* cx) { JS::ClearKeptObjects(cx); }
void request_interrupt(JSContext* cx) { JS_RequestInterruptCallback(cx); }

std::size_t heap_bytes(JSContext* cx) { return JS_GetGCParameter(cx, JSGC_BYTES); }

void compact_heap(JSContext* cx) {
  JS::PrepareForFullGC(cx);
  JS::NonIncrementalGC(cx, JS::GCOptions::Shrink, JS::GCReason::API);
}

void set_heap_limit(JSContext* cx, std::size_t total, std::size_t budget) {
  constexpr std::size_t kMax = std::numeric_limits<std::uint32_t>::max();
  constexpr std::size_t kDefaultMallocThresholdMb = 38;
  constexpr std::uint32_t kGrowthPercent = 150;
  JS_SetGCParameter(cx, JSGC_MAX_BYTES, static_cast<std::uint32_t>(std::min(total, kMax)));
  const std::size_t threshold =
      std::clamp<std::size_t>(budget / 4 >> 20, 1, kDefaultMallocThresholdMb);
  JS_SetGCParameter(cx, JSGC_MALLOC_THRESHOLD_BASE, static_cast<std::uint32_t>(threshold));
  JS_SetGCParameter(cx, JSGC_HIGH_FREQUENCY_SMALL_HEAP_GROWTH, kGrowthPercent);
  // The elements of young arrays come from malloc, and are let grow to eight times the nursery
  // before it is collected.
  constexpr std::size_t kMinNursery = std::size_t{256} << 10;
  constexpr std::size_t kMaxNursery = std::size_t{16} << 20;
  const std::size_t nursery = std::clamp(budget / 32, kMinNursery, kMaxNursery);
  JS_SetGCParameter(cx, JSGC_MAX_NURSERY_BYTES, static_cast<std::uint32_t>(nursery));
}

std::optional<Kind> kind_of(JSContext* cx, JS::HandleObject object) {
  if (JS::IsCallable(object)) return Kind::kFunction;
  if (js::IsProxy(object)) return Kind::kProxy;
  js::ESClass es_class{};
  if (!JS::GetBuiltinClass(cx, object, &es_class)) return std::nullopt;
  switch (es_class) {
    case js::ESClass::Object:
    case js::ESClass::Arguments:
      return Kind::kPlain;
    case js::ESClass::Array:
      return Kind::kArray;
    case js::ESClass::Number:
    case js::ESClass::String:
    case js::ESClass::Boolean:
    case js::ESClass::BigInt:
      return Kind::kBoxed;
    case js::ESClass::Date:
      return Kind::kDate;
    case js::ESClass::Map:
      return Kind::kMap;
    case js::ESClass::Set:
      return Kind::kSet;
    case js::ESClass::Error:
      return Kind::kError;
    case js::ESClass::ArrayBuffer:
      return Kind::kBytes;
    default:
      return JS_IsArrayBufferViewObject(object) ? Kind::kBytes : Kind::kOther;
  }
}

const char* class_name(JSObject* object) { return JS::GetClass(object)->name; }

// Number, String, Boolean and BigInt objects all keep their primitive in the first slot.
JS::Value unbox(JSObject* boxed) { return JS::GetReservedSlot(boxed, 0); }

std::optional<double> date_value(JSContext* cx, JS::HandleObject date) {
  double milliseconds = 0;
  if (!js::DateGetMsecSinceEpoch(cx, date, &milliseconds)) return std::nullopt;
  return milliseconds;
}

bool is_scripted_proxy(JSObject* object) { return js::IsScriptedProxy(object); }
JSObject* proxy_target(JSObject* proxy) { return js::GetProxyTargetObject(proxy); }

bool own_keys(JSContext* cx, JS::HandleObject object, JS::MutableHandleIdVector keys) {
  return js::GetPropertyKeys(cx, object, JSITER_OWNONLY, keys);
}

std::optional<std::size_t> own_key_count(JSContext* cx, JS::HandleObject object) {
  JS::RootedVector<JS::PropertyKey> keys(cx);
  constexpr unsigned kAll = JSITER_OWNONLY | JSITER_HIDDEN | JSITER_SYMBOLS;
  if (!js::GetPropertyKeys(cx, object, kAll, &keys)) return std::nullopt;
  return keys.length();
}

std::optional<bool> get_own(JSContext* cx, JS::HandleObject object, JS::HandleId key,
                            JS::MutableHandleValue value) {
  bool found = false;
  if (!JS_HasOwnPropertyById(cx, object, key, &found)) return std::nullopt;
  if (found && !JS_GetPropertyById(cx, object, key, value)) return std::nullopt;
  return found;
}

std::optional<bool> find_data(JSContext* cx, JS::HandleObject object, const char* name,
                              JS::MutableHandleValue value) {
  JS::RootedString atom(cx, JS_AtomizeString(cx, name));
  JS::RootedId key(cx);
  if (!atom || !JS_StringToId(cx, atom, &key)) return std::nullopt;
  JS::RootedObject holder(cx, object);
  JS::Rooted<mozilla::Maybe<JS::PropertyDescriptor>> descriptor(cx);
  for (int i = 0; holder && i < kMaxPrototypes && !js::IsProxy(holder); ++i) {
    if (!JS_GetOwnPropertyDescriptorById(cx, holder, key, &descriptor)) return std::nullopt;
    if (descriptor.isSome()) {
      if (!descriptor->isDataDescriptor()) return false;
      value.set(descriptor->value());
      return true;
    }
    if (!JS_GetPrototype(cx, holder, &holder)) return std::nullopt;
  }
  return false;
}

namespace {

// forEach's callback: the vector to fill is in the function's own slot.
bool collect_entry(JSContext* cx, unsigned argc, JS::Value* vp) {
  const JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  const JS::Value slot = js::GetFunctionNativeReserved(&args.callee(), 0);
  auto& entries = *static_cast<JS::RootedVector<JS::Value>*>(slot.toPrivate());
  bool is_map = false;
  JS::RootedObject collection(cx, &args[2].toObject());
  if (!JS::IsMapObject(cx, collection, &is_map)) return false;
  // forEach passes (value, key).
  if ((is_map && !entries.append(args[1])) || !entries.append(args[0])) {
    JS_ReportOutOfMemory(cx);
    return false;
  }
  args.rval().setUndefined();
  return true;
}

}  // namespace

bool copy_entries(JSContext* cx, JS::HandleObject map_or_set,
                  JS::MutableHandleValueVector entries) {
  JS::RootedVector<JS::Value> copied(cx);
  JSFunction* function = js::NewFunctionWithReserved(cx, collect_entry, 3, 0, nullptr);
  if (function == nullptr) return false;
  JS::RootedObject callback(cx, JS_GetFunctionObject(function));
  js::SetFunctionNativeReserved(callback, 0, JS::PrivateValue(&copied));
  JS::RootedValue callback_value(cx, JS::ObjectValue(*callback));
  bool is_map = false;
  if (!JS::IsMapObject(cx, map_or_set, &is_map)) return false;
  const bool done = is_map
                        ? JS::MapForEach(cx, map_or_set, callback_value, JS::UndefinedHandleValue)
                        : JS::SetForEach(cx, map_or_set, callback_value, JS::UndefinedHandleValue);
  if (!done) return false;
  if (!entries.appendAll(copied)) {
    JS_ReportOutOfMemory(cx);
    return false;
  }
  return true;
}

std::optional<std::span<std::uint8_t>> bytes_of(JSObject* object,
                                                const JS::AutoRequireNoGC& no_gc) {
  bool shared = false;
  if (JS::IsArrayBufferObject(object)) {
    return std::span(JS::GetArrayBufferData(object, &shared, no_gc),
                     JS::GetArrayBufferByteLength(object));
  }
  if (!JS_IsArrayBufferViewObject(object)) return std::nullopt;
  return std::span(static_cast<std::uint8_t*>(JS_GetArrayBufferViewData(object, &shared, no_gc)),
                   JS_GetArrayBufferViewByteLength(object));
}

bool capture_stack(JSContext* cx, unsigned max_frames, JS::MutableHandleObject stack) {
  return JS::CaptureCurrentStack(cx, stack, JS::StackCapture(JS::MaxFrames(max_frames)));
}

JSObject* create_error(JSContext* cx, JSExnType type, JS::HandleObject stack,
                       JS::HandleString message) {
  JS::RootedString file(cx, JS_GetEmptyString(cx));
  JS::Rooted<mozilla::Maybe<JS::Value>> no_cause(cx, mozilla::Nothing());
  JS::RootedValue error(cx);
  if (!JS::CreateError(cx, type, stack, file, 0, 0, nullptr, message, no_cause, &error)) {
    return nullptr;
  }
  return &error.toObject();
}

JSString* captured_stack_text(JSContext* cx, JS::HandleObject error) {
  JS::RootedObject stack(cx, JS::ExceptionStackOrNull(error));
  if (!stack) return JS_GetEmptyString(cx);
  JS::RootedString text(cx);
  return JS::BuildStackString(cx, nullptr, stack, &text) ? text.get() : nullptr;
}

std::optional<ErrorPosition> error_position(JSContext* cx, JS::HandleObject error) {
  const JSErrorReport* report = JS_ErrorFromException(cx, error);
  if (report == nullptr) return std::nullopt;
  return ErrorPosition{report->exnType == JSEXN_SYNTAXERR,
                       report->filename != nullptr ? report->filename : "", report->lineno,
                       report->lineno != 0 ? report->column + 1 : 0};
}

}  // namespace cordon::engine::sm

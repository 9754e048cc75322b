#include "engine/script/runtime.h"

#include <js/CallAndConstruct.h>
#include <js/Exception.h>
#include <js/Modules.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/Realm.h>
#include <js/ValueArray.h>
#include <jsapi.h>
#include <sys/resource.h>

#include <algorithm>
#include <string_view>

#include "assert_source.h"
#include "engine/script/errors.h"
#include "engine/script/frames.h"
#include "engine/script/modules.h"
#include "engine/script/native.h"
#include "engine/script/prelude_bindings.h"
#include "engine/script/run.h"
#include "prelude_source.h"

namespace cordon::engine {

namespace {

// Half of the main thread's usual 8 MiB, or of what it has: parsers and natives need room beyond
// the guest's frames.
std::size_t native_stack_bytes() {
  constexpr rlim_t kUsual = rlim_t{8} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0) limit.rlim_cur = kUsual;
  return std::min(limit.rlim_cur, kUsual) / 2;
}

std::string take_error(JSContext* cx, const char* what) {
  JS::RootedValue thrown(cx);
  std::string text = std::string(what) + " failed";
  if (!JS_IsExceptionPending(cx) || !JS_GetPendingException(cx, &thrown)) return text;
  JS_ClearPendingException(cx);
  const ErrorText error = read_error(cx, thrown);
  return text + ": " + error.name + ": " + error.message + "\n" + error.stack;
}

bool math_random(JSContext*, const JS::CallArgs& args, Runtime& runtime) {
  args.rval().setDouble(runtime.random().next());
  return true;
}

// The engine's own seed would be the same in every child, and the prelude draws from it.
bool replace_math_random(JSContext* cx, JS::HandleObject global) {
  JS::RootedValue math(cx);
  if (!JS_GetProperty(cx, global, "Math", &math)) return false;
  JS::RootedObject object(cx, &math.toObject());
  return JS_DefineFunction(cx, object, "random", native<math_random>, 0, 0) != nullptr;
}

Payload build_out_of_memory_frame() {
  Failure failure;
  failure.kind = wire::Failure::Kind::OUT_OF_MEMORY;
  failure.error = {"RangeError", "out of memory", {}};
  return failure_frame(failure);
}

}  // namespace

Result<std::unique_ptr<Runtime>, std::string> Runtime::create(const ScriptEngineOptions& options) {
  std::unique_ptr<Runtime> runtime(new Runtime);
  const auto context = sm::create_context({options.jit, native_stack_bytes()}, *runtime);
  if (!context) return context.error();
  runtime->cx_ = *context;
  runtime->jobs_.emplace(runtime->cx_);
  if (!runtime->create_realm()) return take_error(runtime->cx_, "the realm");
  if (!runtime->evaluate_prelude()) return take_error(runtime->cx_, "the prelude");
  if (!runtime->load_locale_data()) return take_error(runtime->cx_, "the locale data");
  runtime->capability_module_ = CapabilityModule::create(runtime->cx_);
  if (!runtime->capability_module_) return take_error(runtime->cx_, "the capability module");
  while (!runtime->jobs_->empty()) {
    if (!runtime->jobs_->run_one()) return take_error(runtime->cx_, "a job of the prelude");
  }
  runtime->out_of_memory_frame_ = build_out_of_memory_frame();
  return runtime;
}

bool Runtime::create_realm() {
  JS::RootedObject global(cx_, sm::create_global(cx_));
  if (!global) return false;
  // Entered for good: there is only one.
  JS::EnterRealm(cx_, global);
  global_.emplace(cx_, global);
  return JS::InitRealmStandardClasses(cx_) && replace_math_random(cx_, global);
}

bool Runtime::evaluate_prelude() {
  JS::RootedValue install(cx_);
  if (!sm::evaluate_script(cx_, "prelude", prelude_source(), &install)) return false;
  JS::RootedObject bindings(cx_, create_prelude_bindings(cx_));
  if (!bindings) return false;
  JS::RootedValueArray<1> arguments(cx_);
  arguments[0].setObject(*bindings);
  JS::RootedValue hooks(cx_);
  if (!JS::Call(cx_, JS::UndefinedHandleValue, install, arguments, &hooks)) return false;
  if (!hooks.isObject()) return throw_error(cx_, JSEXN_TYPEERR, "install() returned no hooks");
  JS::RootedObject object(cx_, &hooks.toObject());
  JS::RootedValue href(cx_);
  if (!JS_GetProperty(cx_, object, "hrefOf", &href)) return false;
  href_hook_.emplace(cx_, href);
  realm_guard_ = RealmGuard::create(cx_, object);
  return realm_guard_ && load_assert(object);
}

JSObject* Runtime::evaluated(const char* name, std::string_view code) {
  JS::RootedObject module(cx_, sm::compile_module(cx_, name, code, JS::UndefinedHandleValue));
  if (!module || !sm::link_module(cx_, module)) return nullptr;
  JS::RootedObject evaluation(cx_, sm::evaluate_module(cx_, module));
  if (!evaluation) return nullptr;
  if (JS::GetPromiseState(evaluation) == JS::PromiseState::Fulfilled) return module;
  JS::RootedValue reason(cx_, JS::GetPromiseResult(evaluation));
  JS_SetPendingException(cx_, reason);
  return nullptr;
}

// Shared by program and tests, so a guest must not be able to change it.
bool Runtime::load_assert(JS::HandleObject hooks) {
  JS::RootedObject module(cx_, evaluated("assert", assert_source()));
  if (!module) return false;
  assert_module_.emplace(cx_, module);
  constexpr std::string_view kStrict =
      "import { strict } from 'assert'; export default strict; export const { AssertionError,"
      "deepEqual, deepStrictEqual, doesNotMatch, doesNotReject, doesNotThrow, equal, fail, ifError,"
      "match, notDeepEqual, notDeepStrictEqual, notEqual, notStrictEqual, ok, rejects, strictEqual,"
      "throws } = strict; export { strict };";
  JS::RootedObject strict(cx_, evaluated("assert/strict", kStrict));
  if (!strict) return false;
  strict_assert_module_.emplace(cx_, strict);
  JS::RootedObject space(cx_, JS::GetModuleNamespace(cx_, module));
  JS::RootedValueArray<1> arguments(cx_);
  JS::RootedValue freeze(cx_);
  JS::RootedValue ignored(cx_);
  return space && JS_GetProperty(cx_, space, "default", arguments[0]) &&
         JS_GetProperty(cx_, hooks, "freezeDeeply", &freeze) &&
         JS::Call(cx_, JS::UndefinedHandleValue, freeze, arguments, &ignored);
}

// The engine opens time zone and locale data when they are first used: in a child that is too late.
bool Runtime::load_locale_data() {
  constexpr std::string_view kUses =
      "new Date(0).toString(); new Date(0).toLocaleString(); (0).toLocaleString();"
      "'a'.localeCompare('b'); 'a'.normalize();";
  JS::RootedValue ignored(cx_);
  return sm::evaluate_script(cx_, "locale", kUses, &ignored);
}

bool Runtime::href_of(JS::HandleValue value, JS::MutableHandleValue href) const {
  JS::RootedValueArray<1> arguments(cx_);
  arguments[0].set(value);
  return JS::Call(cx_, JS::UndefinedHandleValue, *href_hook_, arguments, href);
}

bool Runtime::enqueue_job(JSContext*, JS::HandleObject job) { return jobs_->enqueue(job); }

void Runtime::rejection_changed(JSContext*, JS::HandleObject promise, bool handled) {
  if (run_ != nullptr) run_->rejection_changed(promise, handled);
}

JSObject* Runtime::resolve_module(JSContext* cx, JS::HandleString specifier) {
  return guarded(cx, [&]() -> JSObject* {
    if (run_ != nullptr) return run_->modules().resolve(specifier);
    // The only import while the engine starts: of the built-in assert by its strict form.
    if (assert_module_) return *assert_module_;
    throw_error(cx, JSEXN_ERR, "there is no call");
    return nullptr;
  });
}

bool Runtime::import_dynamically(JSContext* cx, JS::HandleValue referrer, JS::HandleObject request,
                                 JS::HandleString specifier, JS::HandleObject promise) {
  return guarded(cx, [&] {
    if (run_ == nullptr) return throw_error(cx, JSEXN_ERR, "there is no call");
    return run_->modules().import_dynamically(referrer, request, specifier, promise);
  });
}

bool Runtime::fill_import_meta(JSContext* cx, JS::HandleValue label, JS::HandleObject meta) {
  return CapabilityModule::fill_import_meta(cx, label, meta) &&
         (run_ == nullptr || run_->tools().fill_import_meta(cx, label, meta));
}

void Runtime::collected(JSContext* cx) { memory_.collected(cx); }

Runtime& runtime_of(JSContext* cx) { return static_cast<Runtime&>(sm::host_of(cx)); }

}  // namespace cordon::engine

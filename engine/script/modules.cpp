#include "engine/script/modules.h"

#include <js/Modules.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <jsapi.h>

#include <algorithm>
#include <utility>

#include "engine/script/errors.h"
#include "engine/script/native.h"
#include "engine/script/run.h"
#include "engine/script/runtime.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/text.h"

namespace cordon::engine {

namespace {

constexpr std::size_t kMaxShownBytes = 120;
constexpr std::size_t kMaxShownModules = 20;
// Longer ones cannot be among the allowed, so there is no need to convert all of them.
constexpr std::size_t kMaxSpecifierBytes = 4096;

}  // namespace

void Modules::add(std::string specifier, std::string_view code, const JS::Value& label) {
  sources_.try_emplace(std::move(specifier), Source{code, label, JS::PersistentRootedObject(cx_)});
}

void Modules::add(std::string specifier, JS::HandleObject module) {
  sources_.try_emplace(std::move(specifier),
                       Source{{}, {}, JS::PersistentRootedObject(cx_, module)});
}

JSObject* Modules::resolve(JS::HandleString specifier) {
  const auto name = to_utf8(cx_, specifier, Surrogates::kKeep, kMaxSpecifierBytes);
  if (!name) return nullptr;
  if (!name->cut && name->text == kCapabilitySpecifier) return capability_module_;
  const auto found = sources_.find(name->text);
  if (name->cut || found == sources_.end()) {
    const auto shown = to_utf8(cx_, specifier, Surrogates::kReplace, kMaxSpecifierBytes);
    if (shown) throw_error(cx_, JSEXN_ERR, refusal(shown->text));
    return nullptr;
  }
  Source& source = found->second;
  if (!source.module) {
    JS::RootedValue label(cx_, source.label);
    source.module = sm::compile_module(cx_, found->first, source.code, label);
  }
  return source.module;
}

bool Modules::import_dynamically(JS::HandleValue referrer, JS::HandleObject request,
                                 JS::HandleString specifier, JS::HandleObject promise) {
  JS::RootedObject module(cx_, resolve(specifier));
  if (!module) return false;
  JSFunction* job = JS_NewFunction(cx_, run_next_import, 0, 0, nullptr);
  if (job == nullptr) return false;
  JS::RootedObject job_object(cx_, JS_GetFunctionObject(job));
  imports_.push_back(
      {JS::PersistentRootedObject(cx_, module), JS::PersistentRootedValue(cx_, referrer),
       JS::PersistentRootedObject(cx_, request), JS::PersistentRootedObject(cx_, promise)});
  return runtime_of(cx_).jobs().enqueue(job_object);
}

bool Modules::run_next_import(JSContext* cx, unsigned argc, JS::Value* vp) {
  JS::CallArgsFromVp(argc, vp).rval().setUndefined();
  Run* run = runtime_of(cx).run();
  return run == nullptr || guarded(cx, [&] { return run->modules().finish_next_import(); });
}

bool Modules::finish_next_import() {
  JS::RootedObject module(cx_, imports_.front().module);
  JS::RootedValue referrer(cx_, imports_.front().referrer);
  JS::RootedObject request(cx_, imports_.front().request);
  JS::RootedObject promise(cx_, imports_.front().promise);
  imports_.pop_front();
  JS::RootedObject evaluation(cx_, evaluate(module));
  return sm::finish_dynamic_import(cx_, evaluation, referrer, request, promise);
}

bool Modules::require(JS::HandleString specifier, JS::MutableHandleValue exports) {
  JS::RootedObject module(cx_, resolve(specifier));
  if (!module) return false;
  if (std::ranges::find(required_, module.get()) != required_.end()) {
    return throw_error(cx_, JSEXN_ERR, "a module that is still being evaluated requires itself");
  }
  if (!required_.append(module)) return false;
  JS::RootedObject evaluation(cx_, evaluate(module));
  required_.popBack();
  if (!evaluation) return false;
  switch (JS::GetPromiseState(evaluation)) {
    case JS::PromiseState::Pending:
      return throw_error(cx_, JSEXN_ERR,
                         "cannot require a module that awaits at its top level: import it");
    case JS::PromiseState::Rejected: {
      JS::RootedValue reason(cx_, JS::GetPromiseResult(evaluation));
      if (!JS::SetSettledPromiseIsHandled(cx_, evaluation)) return false;
      JS_SetPendingException(cx_, reason);
      return false;
    }
    case JS::PromiseState::Fulfilled:
      break;
  }
  JS::RootedObject space(cx_, JS::GetModuleNamespace(cx_, module));
  bool has_default = false;
  if (!space || !JS_HasProperty(cx_, space, "default", &has_default)) return false;
  if (has_default) return JS_GetProperty(cx_, space, "default", exports);
  exports.setObject(*space);
  return true;
}

JSObject* Modules::evaluate(JS::HandleObject module) {
  return sm::link_module(cx_, module) ? sm::evaluate_module(cx_, module) : nullptr;
}

std::string Modules::refusal(std::string_view specifier) const {
  std::string text = "cannot import " + quoted(specifier, kMaxShownBytes) +
                     ": this code may import only " + quoted(kCapabilitySpecifier, kMaxShownBytes);
  std::size_t shown = 0;
  for (const auto& [name, source] : sources_) {
    if (++shown > kMaxShownModules) {
      text += ", …";
      break;
    }
    text += ", " + quoted(name, kMaxShownBytes);
  }
  return text + " (the host lists more under `modules`, --module)";
}

}  // namespace cordon::engine

#include "engine/script/capability_module.h"

#include <js/CallArgs.h>
#include <js/Modules.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/PropertySpec.h>
#include <jsapi.h>

#include <string>

#include "engine/script/asynchronous.h"
#include "engine/script/capability_arguments.h"
#include "engine/script/errors.h"
#include "engine/script/modules.h"
#include "engine/script/run.h"
#include "engine/script/runtime.h"
#include "engine/script/spidermonkey.h"

namespace cordon::engine {

namespace {

// Fields are defined, not assigned: setters on prototypes take no part.
constexpr std::string_view kSource = R"js(
const { native } = import.meta;
const { defineProperty, freeze } = Object;
export const { environment, secret, readText, writeText, fetchText, spawn } = native;
export class SandboxDeniedError extends Error {
  constructor(message, capability, target) {
    super(message);
    const field = (name, value, enumerable) =>
      defineProperty(this, name, { __proto__: null, value, enumerable, writable: true, configurable: true });
    field('name', 'SandboxDeniedError', false);
    field('capability', capability, true);
    if (target !== undefined) field('target', target, true);
  }
}
freeze(SandboxDeniedError.prototype);
freeze(SandboxDeniedError);
)js";

capnp::Text::Reader text_reader(const std::string& text) { return {text.c_str(), text.size()}; }

// Each returns the promise of the reply, or null with an exception.
using Call = JSObject* (*)(JSContext*, const JS::CallArgs&, HostCalls&);

JSObject* environment(JSContext* cx, const JS::CallArgs& args, HostCalls& calls) {
  const auto name = ArgumentReader(cx, args, "environment").text(0, "name");
  if (!name) return nullptr;
  return calls.send([&](auto& request) { request.setEnvironment(text_reader(*name)); });
}

JSObject* secret(JSContext* cx, const JS::CallArgs& args, HostCalls& calls) {
  const auto name = ArgumentReader(cx, args, "secret").text(0, "name");
  if (!name) return nullptr;
  return calls.send([&](auto& request) { request.setSecret(text_reader(*name)); });
}

JSObject* read_text(JSContext* cx, const JS::CallArgs& args, HostCalls& calls) {
  const auto path = ArgumentReader(cx, args, "readText").text(0, "path");
  if (!path) return nullptr;
  return calls.send([&](auto& request) { request.setReadText(text_reader(*path)); });
}

JSObject* write_text(JSContext* cx, const JS::CallArgs& args, HostCalls& calls) {
  ArgumentReader reader(cx, args, "writeText");
  const auto path = reader.text(0, "path");
  if (!path) return nullptr;
  const auto text = reader.content(1, "text");
  if (!text) return nullptr;
  return calls.send([&](auto& request) {
    auto write = request.initWriteText();
    write.setPath(text_reader(*path));
    write.setText(text_reader(*text));
  });
}

JSObject* fetch_text(JSContext* cx, const JS::CallArgs& args, HostCalls& calls) {
  const auto http = ArgumentReader(cx, args, "fetchText").http();
  if (!http) return nullptr;
  return calls.send([&](auto& request) {
    auto fetch = request.initFetchText();
    fetch.setUrl(text_reader(http->url));
    if (http->method) fetch.setMethod(text_reader(*http->method));
    auto headers = fetch.initHeaders(static_cast<unsigned>(http->headers.size()));
    unsigned index = 0;
    for (const auto& [name, value] : http->headers) {
      auto header = headers[index++];
      header.setName(text_reader(name));
      header.setValue(text_reader(value));
    }
    if (http->body) fetch.setBody(text_reader(*http->body));
  });
}

JSObject* spawn(JSContext* cx, const JS::CallArgs& args, HostCalls& calls) {
  ArgumentReader reader(cx, args, "spawn");
  const auto executable = reader.text(0, "command");
  if (!executable) return nullptr;
  const auto arguments = reader.texts(1, "args");
  if (!arguments) return nullptr;
  return calls.send([&](auto& request) {
    auto command = request.initSpawn();
    command.setExecutable(text_reader(*executable));
    auto list = command.initArguments(static_cast<unsigned>(arguments->size()));
    for (unsigned i = 0; i < arguments->size(); ++i) list.set(i, text_reader((*arguments)[i]));
  });
}

template <Call call>
JSObject* within_run(JSContext* cx, const JS::CallArgs& args, Runtime& runtime) {
  if (runtime.run() != nullptr) return call(cx, args, runtime.run()->calls());
  throw_error(cx, JSEXN_ERR, "there is no call");
  return nullptr;
}

template <Call call>
bool capability(JSContext* cx, const JS::CallArgs& args, Runtime& runtime) {
  return asynchronous<within_run<call>>(cx, args, runtime);
}

constexpr JSFunctionSpec kNatives[] = {
    JS_FN("environment", native<capability<environment>>, 1, JSPROP_ENUMERATE),
    JS_FN("secret", native<capability<secret>>, 1, JSPROP_ENUMERATE),
    JS_FN("readText", native<capability<read_text>>, 1, JSPROP_ENUMERATE),
    JS_FN("writeText", native<capability<write_text>>, 2, JSPROP_ENUMERATE),
    JS_FN("fetchText", native<capability<fetch_text>>, 1, JSPROP_ENUMERATE),
    JS_FN("spawn", native<capability<spawn>>, 1, JSPROP_ENUMERATE),
    JS_FS_END};

}  // namespace

std::unique_ptr<CapabilityModule> CapabilityModule::create(JSContext* cx) {
  JS::RootedValue label(cx, JS::Int32Value(kOwnLabel));
  JS::RootedObject record(
      cx, sm::compile_module(cx, std::string(kCapabilitySpecifier), kSource, label));
  if (!record || !sm::link_module(cx, record)) return nullptr;
  JS::RootedObject evaluation(cx, sm::evaluate_module(cx, record));
  JS::RootedObject space(cx, JS::GetModuleNamespace(cx, record));
  if (!evaluation || JS::GetPromiseState(evaluation) != JS::PromiseState::Fulfilled || !space) {
    return nullptr;
  }
  JS::RootedValue value(cx);
  if (!JS_GetProperty(cx, space, "SandboxDeniedError", &value)) return nullptr;
  JS::RootedObject denied_class(cx, &value.toObject());
  if (!JS_GetProperty(cx, denied_class, "prototype", &value)) return nullptr;
  JS::RootedObject prototype(cx, &value.toObject());
  std::unique_ptr<CapabilityModule> module(new CapabilityModule(cx, record));
  module->denials_ = std::make_unique<Denials>(cx, prototype);
  return module;
}

bool CapabilityModule::fill_import_meta(JSContext* cx, JS::HandleValue label,
                                        JS::HandleObject meta) {
  if (!label.isInt32() || label.toInt32() != kOwnLabel) return true;
  JS::RootedObject natives(cx, JS_NewPlainObject(cx));
  return natives && JS_DefineFunctions(cx, natives, kNatives) &&
         JS_DefineProperty(cx, meta, "native", natives, 0);
}

}  // namespace cordon::engine

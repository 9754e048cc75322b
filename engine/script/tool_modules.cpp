#include "engine/script/tool_modules.h"

#include <js/CallArgs.h>
#include <js/PropertyAndElement.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/script/asynchronous.h"
#include "engine/script/capability_module.h"
#include "engine/script/errors.h"
#include "engine/script/run.h"
#include "engine/script/runtime.h"
#include "engine/script/value_encoder.h"

namespace cordon::engine {

namespace {

// Where a tool's function keeps which one it is.
constexpr std::size_t kModuleSlot = 0;
constexpr std::size_t kNameSlot = 1;
constexpr const char* kArgument = "input";

std::string_view view_of(capnp::Text::Reader text) { return {text.cStr(), text.size()}; }

// Labels of modules of tools follow those of the engine's own.
JS::Value label_of(std::size_t module) {
  return JS::Int32Value(CapabilityModule::kFirstFreeLabel + static_cast<std::int32_t>(module));
}

capnp::Text::Reader text_reader(const std::string& text) { return {text.c_str(), text.size()}; }

struct Arguments {
  std::string json;
  bool too_large = false;
};

// Absent is an object without properties. Nothing, with an exception: the value cannot cross.
std::optional<Arguments> encode_arguments(JSContext* cx, const std::string& tool,
                                          JS::HandleValue input, std::size_t max_bytes) {
  if (input.isUndefined()) return Arguments{.json = "{}"};
  auto json = encode_value(cx, input, kArgument, max_bytes);
  if (json) return Arguments{.json = *std::move(json)};
  switch (json.error().kind) {
    case EncodeError::Kind::kTooLarge:
      return Arguments{.json = {}, .too_large = true};
    case EncodeError::Kind::kBadValue:
      throw_error(cx, JSEXN_TYPEERR, tool + ": " + json.error().message);
      return std::nullopt;
    case EncodeError::Kind::kStopped:
      break;
  }
  return std::nullopt;
}

JSObject* call_tool(JSContext* cx, const JS::CallArgs& args, Runtime& runtime) {
  Run* const run = runtime.run();
  if (run == nullptr) {
    throw_error(cx, JSEXN_ERR, "there is no call");
    return nullptr;
  }
  JSObject* const callee = &args.callee();
  const auto module = js::GetFunctionNativeReserved(callee, kModuleSlot).toInt32();
  const auto index = js::GetFunctionNativeReserved(callee, kNameSlot).toInt32();
  const ToolModules::Module& tools = run->tools().at(static_cast<std::size_t>(module));
  const std::string& name = tools.names[static_cast<std::size_t>(index)];
  const auto arguments = encode_arguments(cx, name, args.get(0), run->argument_bytes());
  if (!arguments) return nullptr;
  return run->calls().send([&](auto& request) {
    auto use = request.initTool();
    use.setSpecifier(text_reader(tools.specifier));
    use.setName(text_reader(name));
    const auto* const bytes = reinterpret_cast<const kj::byte*>(arguments->json.data());
    if (arguments->too_large) {
      use.getArguments().setTooLarge();
    } else {
      use.getArguments().setJson(kj::arrayPtr(bytes, arguments->json.size()));
    }
  });
}

std::string source_of(const std::vector<std::string>& names) {
  std::string source = "export const {";
  for (const std::string& name : names) source += " " + name + ",";
  return source + " } = import.meta.tools;";
}

}  // namespace

ToolModules::ToolModules(capnp::List<wire::ToolModule>::Reader list) {
  for (const auto each : list) {
    Module module{
        .specifier = std::string(view_of(each.getSpecifier())), .names = {}, .source = {}};
    for (const auto name : each.getNames()) module.names.emplace_back(view_of(name));
    module.source = source_of(module.names);
    modules_.push_back(std::move(module));
  }
}

void ToolModules::add_to(Modules& modules) const {
  for (std::size_t i = 0; i < modules_.size(); ++i)
    modules.add(modules_[i].specifier, modules_[i].source, label_of(i));
}

bool ToolModules::fill_import_meta(JSContext* cx, JS::HandleValue label,
                                   JS::HandleObject meta) const {
  if (!label.isInt32() || label.toInt32() < CapabilityModule::kFirstFreeLabel) return true;
  const std::int32_t module = label.toInt32() - CapabilityModule::kFirstFreeLabel;
  const std::vector<std::string>& names = at(static_cast<std::size_t>(module)).names;
  JS::RootedObject tools(cx, JS_NewObjectWithGivenProto(cx, nullptr, nullptr));
  if (!tools) return false;
  JS::RootedObject function(cx);
  for (std::size_t i = 0; i < names.size(); ++i) {
    JSFunction* const native_function =
        js::NewFunctionWithReserved(cx, native<asynchronous<call_tool>>, 1, 0, names[i].c_str());
    if (native_function == nullptr) return false;
    function = JS_GetFunctionObject(native_function);
    js::SetFunctionNativeReserved(function, kModuleSlot, JS::Int32Value(module));
    js::SetFunctionNativeReserved(function, kNameSlot,
                                  JS::Int32Value(static_cast<std::int32_t>(i)));
    if (!JS_DefineProperty(cx, tools, names[i].c_str(), function, JSPROP_ENUMERATE)) return false;
  }
  return JS_DefineProperty(cx, meta, "tools", tools, 0);
}

}  // namespace cordon::engine

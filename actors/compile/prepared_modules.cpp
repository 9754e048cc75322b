#include "actors/compile/prepared_modules.h"

#include <future>
#include <memory>
#include <utility>

namespace cordon {

namespace {

// The whole of what a module is made of: no hash that two sources could share.
std::string key(const CompileRequest& request) {
  const char* const decorators = request.experimental_decorators ? "d" : "-";
  return decorators + std::string(request.one_line_tokens ? "l" : "-") + request.source;
}

}  // namespace

PreparedModules::Module PreparedModules::find(const CompileRequest& request) {
  const std::lock_guard lock(mutex_);
  if (held_.empty()) return nullptr;
  const auto found = held_.find(key(request));
  return found == held_.end() ? nullptr : found->second.lock();
}

Result<PreparedModules::Module, CompileFailure> PreparedModules::prepare(
    const CompileRequest& request) {
  if (auto module = find(request)) return module;
  const auto promise = std::make_shared<std::promise<Result<CompiledModule, CompileFailure>>>();
  auto answer = promise->get_future();
  compiler_.compile(request, [promise](auto result) { promise->set_value(std::move(result)); });
  auto compiled = answer.get();
  if (!compiled) return compiled.error();
  Module module = std::make_shared<const CompiledModule>(std::move(*compiled));
  const std::lock_guard lock(mutex_);
  std::erase_if(held_, [](const auto& entry) { return entry.second.expired(); });
  held_[key(request)] = module;
  return module;
}

void PreparedModules::compile(CompileRequest request, CompilerClient::OnCompiled on_compiled) {
  if (const auto module = find(request)) return on_compiled(*module);
  compiler_.compile(std::move(request), std::move(on_compiled));
}

}  // namespace cordon

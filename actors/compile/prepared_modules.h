#pragma once
// Modules that stay compiled for as long as somebody holds them: a compiler in front of another.

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "actors/compile/compiler_client.h"
#include "actors/services.h"
#include "messages/result.h"

namespace cordon {

// Thread-safe.
class PreparedModules final : public Compiler {
 public:
  using Module = std::shared_ptr<const CompiledModule>;

  // `compiler` outlives this object.
  explicit PreparedModules(Compiler& compiler) : compiler_(compiler) {}

  // Compiles the source now and waits for it. Calls with this source get this module for as long as
  // it is held. Not from a thread that the compiler answers on.
  Result<Module, CompileFailure> prepare(const CompileRequest& request);

  void compile(CompileRequest request, CompilerClient::OnCompiled on_compiled) override;

 private:
  Module find(const CompileRequest& request);

  Compiler& compiler_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<const CompiledModule>> held_;  // by key()
};

}  // namespace cordon

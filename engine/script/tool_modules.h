#pragma once
// The host's tools as modules: one per specifier, with an asynchronous native for each name. The
// guest's side knows names only; it copies the one argument as tagged JSON and sends it.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <cstddef>
#include <string>
#include <vector>

#include "engine/script/modules.h"
#include "engine/script/wire.h"

namespace cordon::engine {

class ToolModules {
 public:
  struct Module {
    std::string specifier;
    std::vector<std::string> names;
    std::string source;
  };

  explicit ToolModules(capnp::List<wire::ToolModule>::Reader list);

  // This must outlive `modules`.
  void add_to(Modules& modules) const;
  const Module& at(std::size_t index) const { return modules_[index]; }

  // Gives the `import.meta` of a module of tools its natives; others are left as they are.
  bool fill_import_meta(JSContext* cx, JS::HandleValue label, JS::HandleObject meta) const;

 private:
  std::vector<Module> modules_;
};

}  // namespace cordon::engine

#pragma once
// The module `fino:ai/sandbox/capabilities`: six asynchronous natives and SandboxDeniedError.
//
// It is a source text module whose `import.meta` alone holds the natives. It is evaluated once, in
// the zygote, before any guest code: what it exports can be neither replaced nor patched.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <cstdint>
#include <memory>

#include "engine/script/denial.h"

namespace cordon::engine {

class CapabilityModule {
 public:
  // Null, with an exception, when that fails.
  static std::unique_ptr<CapabilityModule> create(JSContext* cx);

  // The module's own; modules with an import.meta of their own take the ones from the second on.
  static constexpr std::int32_t kOwnLabel = 1;
  static constexpr std::int32_t kFirstFreeLabel = 2;

  JS::HandleObject record() const { return record_; }
  Denials& denials() { return *denials_; }

  // Called for every module's `import.meta`; `label` is the module's.
  static bool fill_import_meta(JSContext* cx, JS::HandleValue label, JS::HandleObject meta);

 private:
  CapabilityModule(JSContext* cx, JS::HandleObject record) : record_(cx, record) {}

  JS::PersistentRootedObject record_;
  std::unique_ptr<Denials> denials_;
};

}  // namespace cordon::engine

#pragma once
// What one call's code may import: the capability module, and the modules that the host lists as
// source text. Everything else is refused with an error that says so.

#include <js/GCVector.h>
#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace cordon::engine {

inline constexpr std::string_view kCapabilitySpecifier = "fino:ai/sandbox/capabilities";

class Modules {
 public:
  // `capability_module` is linked and evaluated.
  Modules(JSContext* cx, JS::HandleObject capability_module)
      : cx_(cx), capability_module_(cx, capability_module), required_(cx) {}

  // A module that is evaluated already.
  void add(std::string specifier, JS::HandleObject module);
  // `code` must outlive this. `label` is what its `import.meta` is told by.
  void add(std::string specifier, std::string_view code,
           const JS::Value& label = JS::UndefinedValue());

  // The module of `specifier`, compiled on first use; or null with an exception.
  JSObject* resolve(JS::HandleString specifier);

  // Evaluates the module in a microtask of its own, as the standard wants it, and settles
  // `promise`.
  bool import_dynamically(JS::HandleValue referrer, JS::HandleObject request,
                          JS::HandleString specifier, JS::HandleObject promise);

  // The default export if there is one, else the namespace. For modules that evaluate
  // synchronously.
  bool require(JS::HandleString specifier, JS::MutableHandleValue exports);

 private:
  struct Source {
    std::string_view code;
    JS::Value label;                    // undefined or a number: nothing to trace
    JS::PersistentRootedObject module;  // null until it is first needed
  };
  struct Import {
    JS::PersistentRootedObject module;
    JS::PersistentRootedValue referrer;
    JS::PersistentRootedObject request;
    JS::PersistentRootedObject promise;
  };

  static bool run_next_import(JSContext* cx, unsigned argc, JS::Value* vp);
  bool finish_next_import();
  // The promise of the module's evaluation.
  JSObject* evaluate(JS::HandleObject module);
  std::string refusal(std::string_view specifier) const;

  JSContext* cx_;
  JS::PersistentRootedObject capability_module_;
  std::map<std::string, Source, std::less<>> sources_;
  std::deque<Import> imports_;
  JS::PersistentRootedObjectVector required_;  // being evaluated for require()
};

}  // namespace cordon::engine

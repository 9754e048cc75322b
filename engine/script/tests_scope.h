#pragma once
// Tests of a program: text that runs after the program has completed, in its realm, and that sees
// what its top level declares.
//
// The program can neither read nor alter them. Their text stays out of the realm until the program
// has completed. The way into its scope is taken before it runs. The built-in objects that tests
// use are put back to what they were and held, and names that mean built-ins cannot be shadowed.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <optional>
#include <string>
#include <string_view>

#include "engine/script/runtime.h"

namespace cordon::engine {

class TestsScope {
 public:
  explicit TestsScope(Runtime& runtime)
      : runtime_(runtime),
        cx_(runtime.context()),
        commonjs_(cx_),
        commonjs_exports_(cx_),
        scope_(cx_) {}

  // A main module's code with a way into its scope, two lines behind its own. (The host knows which
  // lines those are: tests_code_name in actors/outcome_message.cpp.)
  static std::string opened(std::string_view code);

  // After linking, before evaluation: a program may assign to what it declares.
  bool enter(JS::HandleObject main);

  // Makes `module` and `exports` globals, for programs that export as CommonJS modules do.
  bool offer_exports();

  // What tests get besides names: `exports`, `require` and `result`.
  struct Given {
    JS::HandleObject main;  // evaluated
    JS::HandleObject require;
    JS::HandleValue result;
  };
  // Starts the tests, the body of an async function. Returns its promise, or null with an
  // exception.
  JSObject* begin(std::string_view body, const Given& given);

 private:
  // `text` within the program's scope.
  bool evaluate(std::string_view text, JS::MutableHandleValue value);
  // The program may declare a name of a built-in: tests that mention it would not get what they
  // mean.
  bool refuse_shadowed(std::string_view body);
  // What was assigned to module.exports, if anything was, else what the module exports.
  bool exports(JS::HandleObject main, JS::MutableHandleValue exported);
  JSObject* namespace_copy(JS::HandleObject main);

  Runtime& runtime_;
  JSContext* cx_;
  JS::PersistentRootedObject commonjs_;          // `module`, if it was offered
  JS::PersistentRootedObject commonjs_exports_;  // what its `exports` was at first
  JS::PersistentRootedObject scope_;             // evaluates a text within the program's scope
};

}  // namespace cordon::engine

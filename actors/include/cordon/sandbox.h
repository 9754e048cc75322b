#pragma once
// One call of model-written TypeScript in a process of its own.
//
//   cordon::Runtime runtime;
//   cordon::AISandbox sandbox(runtime, source, {.environment = {{"MODE", "analysis"}}});
//   cordon::Outcome outcome = sandbox.call(cordon::Value::from_json("[1, 2]"));
//
// Thread-safe: terminate() may be called from any thread at any time, call() succeeds once.

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include <cordon/errors.h>
#include <cordon/options.h>
#include <cordon/outcome.h>
#include <cordon/runtime.h>
#include <cordon/value.h>

namespace cordon {

struct ProgramOptions {
  enum class Entry : std::uint8_t {
    kModule,  // the default export is called with the arguments
    kScript,  // the top level is the program
  };
  Entry entry = Entry::kModule;
  std::string source_name = "main.ts";  // in stack traces and compile errors
  // Called with each console line as the guest writes it, in order, on a Cordon thread. The text is
  // hostile: escape control characters before a person reads it.
  std::function<void(std::string_view level, std::string_view text)> on_console = {};
};

class AISandbox {
 public:
  // Throws InvalidOption.
  AISandbox(Runtime& runtime, std::string source, AISandboxOptions options = {},
            ProgramOptions program = {});
  ~AISandbox();  // terminates
  AISandbox(AISandbox&&) noexcept;
  AISandbox& operator=(AISandbox&&) noexcept;

  // `arguments` is a JSON array. Blocks until the call is over. Throws CallError before anything
  // starts; std::invalid_argument when `arguments` is not an array.
  Outcome call(const Value& arguments = Value::from_json("[]"));
  // The same without blocking. The future never holds an exception but CallError.
  std::future<Outcome> call_async(const Value& arguments = Value::from_json("[]"));

  // Ends a running call as kTerminated; a later call() throws CallError.
  void terminate();

  // The call's id, as in its audit events.
  const std::string& id() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cordon

#pragma once
// One call of model-written TypeScript in a process of its own.
//
//   cordon::Runtime runtime;
//   cordon::AISandbox sandbox(runtime, source, {.environment = {{"MODE", "analysis"}}});
//   cordon::Outcome outcome = sandbox.call(cordon::Value::from_json("[1, 2]"));
//
// Thread-safe: terminate() may be called from any thread at any time, call() succeeds once.

#include <future>
#include <memory>
#include <optional>
#include <string>

#include <cordon/errors.h>
#include <cordon/options.h>
#include <cordon/outcome.h>
#include <cordon/program.h>
#include <cordon/runtime.h>
#include <cordon/value.h>

namespace cordon {

class AISandbox {
 public:
  // Throws InvalidOption, and Unavailable when the host has too little left to check the grants.
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
  // The same with a callback. Throws CallError for misuse; a refusal by the runtime is the answer.
  void call_then(const Value& arguments, AnswerCallback on_answer);

  // Ends a running call as kTerminated; a later call() throws CallError.
  void terminate();

  // The call's id, as in its audit events.
  const std::string& id() const noexcept;

  class Impl;
  explicit AISandbox(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace cordon

#pragma once
// One call of model-written TypeScript in a process of its own.
//
//   cordon::Runtime runtime;
//   cordon::AISandbox sandbox(runtime, source, {.environment = {{"MODE", "analysis"}}});
//   cordon::Outcome outcome = sandbox.call(cordon::Value::from_json("[1, 2]"));
//
// Thread-safe: terminate() may be called from any thread at any time, call() succeeds once.

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
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
  // TypeScript that is evaluated once the program has completed, in its realm and within its scope:
  // the call is ok only if this completes as well. The program can neither read nor alter it, and
  // built-in objects that it has patched are put back before (docs/batch.md). "tests.ts" in stacks.
  std::optional<std::string> tests = {};
  // Whether "assert" and "node:assert" are the assert module that the engine brings along, frozen.
  bool assert_module = false;
  std::optional<std::uint64_t> seed = {};  // of Math.random; none: a fresh one
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> clock =
      {};  // what Date calls now
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
  // The same with a callback, called once, on a Cordon thread: it must be quick and must not throw.
  // It gets what call() would return, or else the CallError that it would throw.
  using OnOutcome = std::function<void(Outcome outcome, std::optional<CallError> refused)>;
  void call_async(const Value& arguments, OnOutcome on_outcome);

  // Ends a running call as kTerminated; a later call() throws CallError.
  void terminate();

  // The call's id, as in its audit events.
  const std::string& id() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cordon

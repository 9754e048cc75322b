#pragma once
// How a source is run, and a source that is compiled once and called many times.

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <cordon/errors.h>
#include <cordon/options.h>
#include <cordon/outcome.h>
#include <cordon/value.h>

namespace cordon {

class AISandbox;
class Runtime;

enum class Entry : std::uint8_t {
  kModule,  // the default export is called with the arguments
  kScript,  // the top level is the program
};

struct ProgramOptions {
  using Entry = cordon::Entry;
  Entry entry = Entry::kModule;
  std::string source_name = "main.ts";  // in stack traces and compile errors
  // Called with each console line as the guest writes it, in order, on a Cordon thread. The text is
  // hostile: escape control characters before a person reads it. Must be quick; what it throws is
  // dropped.
  std::function<void(std::string_view level, std::string_view text)> on_console = {};
  // On whose behalf: calls that wait are started in turns of their tenants. Any text.
  std::string tenant = {};
  // TypeScript that is evaluated once the program has completed, in its realm and within its scope:
  // the call is ok only if this completes as well. The program can neither read nor alter it, and
  // built-in objects that it has patched are put back before (docs/batch.md). "tests.ts" in stacks.
  std::optional<std::string> tests = {};
  // Whether "assert", "node:assert" and their "/strict" forms are the assert module that the engine
  // brings along, frozen. InvalidOption when `modules` or `tools` have one of these names, too.
  bool assert_module = false;
  std::optional<std::uint64_t> seed = {};  // of Math.random; none: a fresh one
  // What Date calls now.
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> clock = {};
};

// How a call with a callback ends: an outcome, or why it was not started.
using CallAnswer = std::variant<Outcome, CallError>;
// Called exactly once, on a Cordon thread. Must be quick, must not throw, and must not destroy the
// runtime.
using AnswerCallback = std::function<void(CallAnswer)>;

// A source with its grants, compiled once. Each call runs in a fresh child of its own.
//
// Thread-safe: any number of calls may be made at the same time. Must not outlive its runtime.
class PreparedProgram {
 public:
  // Compiles the source. Throws InvalidOption, and Unavailable when the compiler cannot be had or
  // the host has too little left to check the grants.
  PreparedProgram(Runtime& runtime, std::string source, AISandboxOptions options = {},
                  ProgramOptions program = {});
  ~PreparedProgram();  // ends no call
  PreparedProgram(PreparedProgram&&) noexcept;
  PreparedProgram& operator=(PreparedProgram&&) noexcept;

  // Why every call will end as kCompileError (or, for a source too large to compile, as that); none
  // when it compiled.
  const std::optional<OutcomeError>& compile_error() const noexcept;

  // As the functions of AISandbox of the same name, for a new sandbox each time.
  Outcome call(const Value& arguments = Value::from_json("[]")) const;
  std::future<Outcome> call_async(const Value& arguments = Value::from_json("[]")) const;
  void call_then(const Value& arguments, AnswerCallback on_answer) const;

  // A sandbox for one call that can be terminated.
  AISandbox sandbox() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cordon

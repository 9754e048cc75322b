#pragma once
// What every call of a source has in common, whichever class of the plain API makes it.

#include <caf/actor.hpp>

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <cordon/program.h>
#include <cordon/runtime.h>

#include "actors/wire_messages.h"
#include "capabilities/tools/tool_set.h"

namespace cordon {

// A source with its checked grants. Immutable.
class Program {
 public:
  // Throws InvalidOption, and Unavailable when the host has too little left to check the grants.
  Program(std::string source, AISandboxOptions options, ProgramOptions program);

  // Throws std::invalid_argument when `arguments` is not an array.
  CallMessage message(const std::string& id, const Value& arguments) const;
  // Starts the call. The actor takes (terminate_atom).
  caf::actor start(Runtime::Impl& runtime, const CallMessage& call, AnswerCallback on_answer) const;

  const std::string& source() const noexcept { return source_; }
  const std::optional<std::string>& tests() const noexcept { return program_.tests; }
  const AISandboxOptions& options() const noexcept { return options_; }

 private:
  const std::string source_;
  AISandboxOptions options_;  // without the tools
  const ProgramOptions program_;
  std::shared_ptr<const ToolSet> tools_;
};

// For one call.
AISandbox make_sandbox(Runtime::Impl& runtime, std::shared_ptr<const Program> program);

// A future, and the callback that it is the future of. It holds no exception but CallError.
std::pair<std::future<Outcome>, AnswerCallback> future_answer();

}  // namespace cordon

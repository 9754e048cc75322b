#include "actors/program_call.h"

#include <memory>
#include <string_view>
#include <variant>

#include <cordon/actors.h>

#include "actors/caller.h"
#include "actors/logger_scope.h"
#include "actors/or_unavailable.h"
#include "actors/runtime_impl.h"
#include "capabilities/authority.h"

namespace cordon {

namespace {

// The assert module that the engine brings along goes before any other of its name.
void require_no_other_assert(const AISandboxOptions& options) {
  constexpr std::string_view kNames[] = {"assert", "assert/strict", "node:assert",
                                         "node:assert/strict"};
  constexpr const char* kProblem =
      "is one of the assert module's, which ProgramOptions::assert_module asks for, too";
  for (const auto name : kNames) {
    if (options.modules.contains(std::string(name)))
      throw InvalidOption("modules." + std::string(name), kProblem);
    for (std::size_t i = 0; i < options.tools.size(); ++i) {
      if (options.tools[i].specifier == name)
        throw InvalidOption("tools[" + std::to_string(i) + "].specifier", kProblem);
    }
  }
}

}  // namespace

Program::Program(std::string source, AISandboxOptions options, ProgramOptions program)
    : source_(std::move(source)), options_(std::move(options)), program_(std::move(program)) {
  if (program_.assert_module) require_no_other_assert(options_);
  tools_ = or_unavailable([&] { return Authority::validate(options_).tools(); });
  options_.tools.clear();
}

CallMessage Program::message(const std::string& id, const Value& arguments) const {
  return make_call({.id = id,
                    .source = source_,
                    .arguments = arguments,
                    .options = options_,
                    .entry = program_.entry,
                    .source_name = program_.source_name,
                    .tenant = program_.tenant,
                    .tests = program_.tests,
                    .assert_module = program_.assert_module,
                    .seed = program_.seed,
                    .clock = program_.clock});
}

caf::actor Program::start(Runtime::Impl& runtime, const CallMessage& call,
                          AnswerCallback on_answer) const {
  if (!tools_->modules().empty()) {
    // Handlers cannot be in the message; the sandbox finds them by the call's id until it is over.
    std::string id = call.read()->getSandbox().cStr();
    runtime.tools().offer(id, tools_);
    on_answer = [&tools = runtime.tools(), id = std::move(id),
                 next = std::move(on_answer)](CallAnswer answer) {
      tools.withdraw(id);
      next(std::move(answer));
    };
  }
  const LoggerScope scope;
  return runtime.system().spawn(caller_actor, runtime.pool(), call, std::move(on_answer),
                                program_.on_console, runtime.caller_tokens());
}

std::pair<std::future<Outcome>, AnswerCallback> future_answer() {
  auto promise = std::make_shared<std::promise<Outcome>>();
  auto future = promise->get_future();
  return {std::move(future), [promise = std::move(promise)](CallAnswer answer) {
            if (auto* const outcome = std::get_if<Outcome>(&answer)) {
              promise->set_value(std::move(*outcome));
            } else {
              promise->set_exception(std::make_exception_ptr(std::get<CallError>(answer)));
            }
          }};
}

}  // namespace cordon

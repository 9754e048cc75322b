#include "actors/program_call.h"

#include <memory>
#include <variant>

#include <cordon/actors.h>

#include "actors/borrowed_thread.h"
#include "actors/caller.h"
#include "actors/runtime_impl.h"
#include "capabilities/authority.h"

namespace cordon {

Program::Program(std::string source, AISandboxOptions options, ProgramOptions program)
    : source_(std::move(source)), options_(std::move(options)), program_(std::move(program)) {
  tools_ = Authority::validate(options_).tools();
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
  const BorrowedThread borrowed;
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

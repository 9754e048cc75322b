#include <cordon/program.h>

#include <utility>

#include <cordon/sandbox.h>

#include "actors/compile/tests_body.h"
#include "actors/program_call.h"
#include "actors/runtime_impl.h"

namespace cordon {

class PreparedProgram::Impl {
 public:
  Impl(Runtime& runtime, std::shared_ptr<const Program> program)
      : runtime_(runtime.impl()), program_(std::move(program)) {
    if (is_too_large(program_->source(), false)) return;
    if (program_->tests() && is_too_large(*program_->tests(), true)) return;
    const bool decorators = program_->options().experimental_decorators;
    if (!program_->tests()) {
      // Calls may use what is made quicker; what is wrong with it is esbuild's to say.
      module_ = prepare(
          {.source = program_->source(), .experimental_decorators = decorators, .by_esbuild = true},
          false);
      return;
    }
    module_ = prepare(tested_program(program_->source(), decorators), false);
    if (compile_error_) return;
    tests_ = prepare(tests_of_program(*program_->tests(), decorators), true);
    if (!tests_) return;
    if (const auto body = tests_body(tests_->code); !body)
      fail({.message = body.error().message}, true);
  }

  void call(const Value& arguments, AnswerCallback on_answer) const {
    program_->start(runtime_, program_->message(runtime_.next_call_id(), arguments),
                    std::move(on_answer));
  }

  const std::optional<OutcomeError>& compile_error() const noexcept { return compile_error_; }
  Runtime::Impl& runtime() const noexcept { return runtime_; }
  const std::shared_ptr<const Program>& program() const noexcept { return program_; }

 private:
  // What is too large is not looked at: calls say so.
  bool is_too_large(const std::string& source, bool tests) {
    if (source.size() <= program_->options().resources.max_source_bytes) return false;
    fail({.message = "The source exceeds resources.maxSourceBytes"}, tests);
    return true;
  }

  // Null, with the error kept, when it does not compile.
  PreparedModules::Module prepare(const CompileRequest& request, bool tests) {
    auto compiled = runtime_.prepare(request);
    if (compiled) return std::move(*compiled);
    if (compiled.error().kind == CompileFailure::Kind::kUnavailable) {
      throw Unavailable(compiled.error().message);
    }
    fail(compiled.error(), tests);
    return nullptr;
  }

  void fail(const CompileFailure& failure, bool tests) {
    compile_error_ =
        OutcomeError{"CompileError", failure.message, "", failure.line, failure.column, tests};
  }

  Runtime::Impl& runtime_;
  const std::shared_ptr<const Program> program_;
  // They stay compiled.
  PreparedModules::Module module_;
  PreparedModules::Module tests_;  // null when there are none
  std::optional<OutcomeError> compile_error_;
};

PreparedProgram::PreparedProgram(Runtime& runtime, std::string source, AISandboxOptions options,
                                 ProgramOptions program)
    : impl_(std::make_unique<Impl>(
          runtime, std::make_shared<const Program>(std::move(source), std::move(options),
                                                   std::move(program)))) {}

PreparedProgram::~PreparedProgram() = default;
PreparedProgram::PreparedProgram(PreparedProgram&&) noexcept = default;
PreparedProgram& PreparedProgram::operator=(PreparedProgram&&) noexcept = default;

const std::optional<OutcomeError>& PreparedProgram::compile_error() const noexcept {
  return impl_->compile_error();
}

Outcome PreparedProgram::call(const Value& arguments) const { return call_async(arguments).get(); }

std::future<Outcome> PreparedProgram::call_async(const Value& arguments) const {
  auto [future, on_answer] = future_answer();
  impl_->call(arguments, std::move(on_answer));
  return std::move(future);
}

void PreparedProgram::call_then(const Value& arguments, AnswerCallback on_answer) const {
  impl_->call(arguments, std::move(on_answer));
}

AISandbox PreparedProgram::sandbox() const {
  return make_sandbox(impl_->runtime(), impl_->program());
}

}  // namespace cordon

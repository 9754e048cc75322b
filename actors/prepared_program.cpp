#include <cordon/program.h>

#include <utility>

#include <cordon/sandbox.h>

#include "actors/program_call.h"
#include "actors/runtime_impl.h"

namespace cordon {

class PreparedProgram::Impl {
 public:
  Impl(Runtime& runtime, std::shared_ptr<const Program> program)
      : runtime_(runtime.impl()), program_(std::move(program)) {
    const auto& options = program_->options();
    // What is too large is not looked at: calls say so.
    if (program_->source().size() > options.resources.max_source_bytes) {
      compile_error_ =
          OutcomeError{"CompileError", "The source exceeds resources.maxSourceBytes", "", 0, 0};
      return;
    }
    auto compiled = runtime_.prepare({program_->source(), options.experimental_decorators});
    if (compiled) {
      module_ = std::move(*compiled);
    } else if (compiled.error().kind == CompileFailure::Kind::kUnavailable) {
      throw Unavailable(compiled.error().message);
    } else {
      const CompileFailure& failure = compiled.error();
      compile_error_ =
          OutcomeError{"CompileError", failure.message, "", failure.line, failure.column};
    }
  }

  void call(const Value& arguments, AnswerCallback on_answer) const {
    program_->start(runtime_, program_->message(runtime_.next_call_id(), arguments),
                    std::move(on_answer));
  }

  const std::optional<OutcomeError>& compile_error() const noexcept { return compile_error_; }
  Runtime::Impl& runtime() const noexcept { return runtime_; }
  const std::shared_ptr<const Program>& program() const noexcept { return program_; }

 private:
  Runtime::Impl& runtime_;
  const std::shared_ptr<const Program> program_;
  PreparedModules::Module module_;  // stays compiled
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

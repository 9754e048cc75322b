#include <cordon/sandbox.h>

#include <caf/send.hpp>

#include <memory>
#include <mutex>
#include <utility>

#include "actors/program_call.h"
#include "actors/runtime_impl.h"

namespace cordon {

class AISandbox::Impl {
 public:
  Impl(Runtime::Impl& runtime, std::shared_ptr<const Program> program)
      : runtime_(runtime), id_(runtime.next_call_id()), program_(std::move(program)) {}

  void call(const Value& arguments, AnswerCallback on_answer) {
    const auto message = program_->message(id_, arguments);
    const std::lock_guard lock(mutex_);
    require_first_call();
    caller_ = program_->start(runtime_, message, std::move(on_answer));
  }

  void terminate() {
    const std::lock_guard lock(mutex_);
    terminated_ = true;
    if (caller_) caf::anon_send(caller_, terminate_atom_v);
  }

  const std::string& id() const noexcept { return id_; }

 private:
  void require_first_call() const {
    if (terminated_) {
      throw CallError(CallError::Reason::kTerminated, "The sandbox was terminated; make a new one");
    }
    if (caller_) {
      throw CallError(CallError::Reason::kAlreadyCalled,
                      "A sandbox is single-use: it was called already; make a new one");
    }
  }

  Runtime::Impl& runtime_;
  const std::string id_;
  const std::shared_ptr<const Program> program_;
  std::mutex mutex_;
  caf::actor caller_;  // of the one call
  bool terminated_ = false;
};

AISandbox::AISandbox(Runtime& runtime, std::string source, AISandboxOptions options,
                     ProgramOptions program)
    : impl_(std::make_unique<Impl>(
          runtime.impl(), std::make_shared<const Program>(std::move(source), std::move(options),
                                                          std::move(program)))) {}

AISandbox::AISandbox(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

AISandbox make_sandbox(Runtime::Impl& runtime, std::shared_ptr<const Program> program) {
  return AISandbox(std::make_unique<AISandbox::Impl>(runtime, std::move(program)));
}

AISandbox::~AISandbox() {
  if (impl_) impl_->terminate();
}

AISandbox::AISandbox(AISandbox&&) noexcept = default;

AISandbox& AISandbox::operator=(AISandbox&& other) noexcept {
  if (impl_) impl_->terminate();
  impl_ = std::move(other.impl_);
  return *this;
}

Outcome AISandbox::call(const Value& arguments) { return call_async(arguments).get(); }

std::future<Outcome> AISandbox::call_async(const Value& arguments) {
  auto [future, on_answer] = future_answer();
  impl_->call(arguments, std::move(on_answer));
  return std::move(future);
}

void AISandbox::call_then(const Value& arguments, AnswerCallback on_answer) {
  impl_->call(arguments, std::move(on_answer));
}

void AISandbox::terminate() { impl_->terminate(); }
const std::string& AISandbox::id() const noexcept { return impl_->id(); }

}  // namespace cordon

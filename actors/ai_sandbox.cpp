#include <cordon/sandbox.h>

#include <caf/send.hpp>

#include <mutex>
#include <utility>

#include "actors/caller.h"
#include "actors/options_codec.h"
#include "actors/runtime_impl.h"
#include "capabilities/authority.h"
#include "capabilities/tools/tool_set.h"

namespace cordon {

class AISandbox::Impl {
 public:
  Impl(Runtime& runtime, std::string source, AISandboxOptions options, ProgramOptions program)
      : runtime_(runtime.impl()),
        id_(runtime_.next_call_id()),
        source_(std::move(source)),
        options_(std::move(options)),
        program_(std::move(program)) {
    tools_ = Authority::validate(options_).tools();
  }

  void call(const Value& arguments, OnOutcome on_outcome) {
    if (arguments.json().front() != '[') {
      throw std::invalid_argument("arguments must be a JSON array");
    }
    const std::lock_guard lock(mutex_);
    require_first_call();
    if (!tools_->modules().empty()) on_outcome = with_tools(std::move(on_outcome));
    caller_ = runtime_.system().spawn(caller_actor, runtime_.pool(), message(arguments),
                                      std::move(on_outcome), program_.on_console);
  }

  std::future<Outcome> call(const Value& arguments) {
    auto promise = std::make_shared<std::promise<Outcome>>();
    auto future = promise->get_future();
    call(arguments, [promise](Outcome outcome, const std::optional<CallError>& refused) {
      if (refused) {
        promise->set_exception(std::make_exception_ptr(*refused));
      } else {
        promise->set_value(std::move(outcome));
      }
    });
    return future;
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

  // Handlers cannot be in the message; the sandbox finds them by the call's id until it is over.
  OnOutcome with_tools(OnOutcome on_outcome) {
    runtime_.tools().offer(id_, tools_);
    return [&tools = runtime_.tools(), id = id_, on_outcome = std::move(on_outcome)](
               Outcome outcome, const std::optional<CallError>& refused) {
      tools.withdraw(id);
      on_outcome(std::move(outcome), refused);
    };
  }

  CallMessage message(const Value& arguments) const {
    const auto text = [](const std::string& string) {
      return kj::StringPtr(string.c_str(), string.size());
    };
    return CallMessage::build([&](wire::Call::Builder call) {
      call.setSandbox(text(id_));
      call.setSource(text(source_));
      call.setSourceName(text(program_.source_name));
      call.setEntry(program_.entry == ProgramOptions::Entry::kScript ? wire::Entry::SCRIPT
                                                                     : wire::Entry::MODULE);
      const std::string& json = arguments.json();
      call.setArguments(kj::arrayPtr(reinterpret_cast<const kj::byte*>(json.data()), json.size()));
      write_options(call.initOptions(), options_);
      if (program_.tests) call.setTests(text(*program_.tests));
      call.setAssertModule(program_.assert_module);
      if (program_.seed) call.initRandom().setSeed(*program_.seed);
      if (program_.clock) call.initClock().setUnixMs(program_.clock->time_since_epoch().count());
    });
  }

  Runtime::Impl& runtime_;
  const std::string id_;
  const std::string source_;
  const AISandboxOptions options_;
  const ProgramOptions program_;
  std::shared_ptr<const ToolSet> tools_;
  std::mutex mutex_;
  caf::actor caller_;  // of the one call
  bool terminated_ = false;
};

AISandbox::AISandbox(Runtime& runtime, std::string source, AISandboxOptions options,
                     ProgramOptions program)
    : impl_(std::make_unique<Impl>(runtime, std::move(source), std::move(options),
                                   std::move(program))) {}

AISandbox::~AISandbox() {
  if (impl_) impl_->terminate();
}

AISandbox::AISandbox(AISandbox&&) noexcept = default;

AISandbox& AISandbox::operator=(AISandbox&& other) noexcept {
  if (impl_) impl_->terminate();
  impl_ = std::move(other.impl_);
  return *this;
}

Outcome AISandbox::call(const Value& arguments) { return impl_->call(arguments).get(); }
std::future<Outcome> AISandbox::call_async(const Value& arguments) {
  return impl_->call(arguments);
}
void AISandbox::call_async(const Value& arguments, OnOutcome on_outcome) {
  impl_->call(arguments, std::move(on_outcome));
}
void AISandbox::terminate() { impl_->terminate(); }
const std::string& AISandbox::id() const noexcept { return impl_->id(); }

}  // namespace cordon

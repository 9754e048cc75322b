#pragma once
// What Outcome::value() and misuse throw.

#include <optional>
#include <stdexcept>
#include <string>

namespace cordon {

// The guest did not catch a refusal by the host, or a limit ended the run.
class SandboxDeniedError : public std::runtime_error {
 public:
  SandboxDeniedError(std::string capability, const std::string& message,
                     std::optional<std::string> target)
      : std::runtime_error(message),
        capability_(std::move(capability)),
        target_(std::move(target)) {}
  const std::string& capability() const noexcept { return capability_; }
  const std::optional<std::string>& target() const noexcept { return target_; }

 private:
  std::string capability_;
  std::optional<std::string> target_;
};

// Any other end but `ok`. `name()` is the guest error's name, or "CompileError", "SandboxError".
class SandboxError : public std::runtime_error {
 public:
  SandboxError(std::string name, const std::string& message, std::string stack)
      : std::runtime_error(message), name_(std::move(name)), stack_(std::move(stack)) {}
  const std::string& name() const noexcept { return name_; }
  const std::string& stack() const noexcept { return stack_; }

 private:
  std::string name_;
  std::string stack_;
};

// A call that never started: a second one, one after terminate(), a full queue, a runtime that is
// going away, or an option that has become unusable since the sandbox was made.
class CallError : public std::logic_error {
 public:
  enum class Reason { kAlreadyCalled, kTerminated, kBusy, kInvalidOptions, kShutDown };
  CallError(Reason reason, const std::string& message)
      : std::logic_error(message), reason_(reason) {}
  Reason reason() const noexcept { return reason_; }

 private:
  Reason reason_;
};

}  // namespace cordon

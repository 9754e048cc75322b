#include "engine/script/run.h"

#include <js/Array.h>
#include <js/CallAndConstruct.h>
#include <js/Exception.h>
#include <js/Modules.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/String.h>
#include <jsapi.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/script/errors.h"
#include "engine/script/native.h"
#include "engine/script/runtime.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/value_decoder.h"
#include "engine/script/value_encoder.h"

namespace cordon::engine {

using Kind = wire::Failure::Kind;

namespace {

std::string_view view_of(capnp::Text::Reader text) { return {text.cStr(), text.size()}; }

// The engine throws this very string when an allocation fails.
bool is_out_of_memory(JSContext* cx, JS::HandleValue thrown) {
  bool equal = false;
  return thrown.isString() &&
         JS_StringEqualsAscii(cx, thrown.toString(), "out of memory", &equal) && equal;
}

bool require(JSContext* cx, const JS::CallArgs& args, Runtime& runtime) {
  if (runtime.run() == nullptr) return throw_error(cx, JSEXN_ERR, "there is no call");
  if (!args.get(0).isString()) {
    return throw_error(cx, JSEXN_TYPEERR,
                       std::string("require: argument `specifier` must be a string, not ") +
                           describe_kind(cx, args.get(0)));
  }
  JS::RootedString specifier(cx, args[0].toString());
  return runtime.run()->modules().require(specifier, args.rval());
}

void add_assert(Runtime& runtime, Modules& modules) {
  for (const std::string prefix : {"", "node:"}) {
    modules.add(prefix + "assert", runtime.assert_module());
    modules.add(prefix + "assert/strict", runtime.strict_assert_module());
  }
}

bool read_elements(JSContext* cx, JS::HandleValue array, JS::RootedValueVector& elements) {
  bool is_array = false;
  if (!JS::IsArrayObject(cx, array, &is_array)) return false;
  if (!is_array) return throw_error(cx, JSEXN_TYPEERR, "the arguments must be an array");
  JS::RootedObject object(cx, &array.toObject());
  std::uint32_t length = 0;
  if (!JS::GetArrayLength(cx, object, &length) || !elements.resize(length)) return false;
  for (std::uint32_t i = 0; i < length; ++i) {
    if (!JS_GetElement(cx, object, i, elements[i])) return false;
  }
  return true;
}

}  // namespace

Run::Run(Runtime& runtime, Channel& channel, const wire::Job::Reader& job)
    : runtime_(runtime),
      cx_(runtime.context()),
      job_(job),
      argument_bytes_(job.getLimits().getArgumentBytes()),
      channel_(channel),
      console_(channel, job.getLimits().getConsoleBytes()),
      timers_(cx_),
      calls_(cx_, channel, runtime.capability_module().denials(), job.getLimits()),
      modules_(cx_, runtime.capability_module().record()),
      tools_(job.getTools()),
      rejections_(cx_),
      loop_(cx_, {runtime.jobs(), timers_, calls_, rejections_, runtime.memory(), channel},
            job.getEntry() == wire::Entry::SCRIPT ? Background::kCounts : Background::kIgnored),
      tests_(runtime) {
  if (job.getAssertModule()) add_assert(runtime, modules_);
  if (job.hasRandom()) runtime.random().seed(job.getRandom().getSeed());
  if (job.hasClock()) runtime.set_date(job.getClock().getUnixMs());
  for (const auto module : job.getModules()) {
    modules_.add(std::string(view_of(module.getSpecifier())), view_of(module.getCode()));
  }
  tools_.add_to(modules_);
  runtime_.set_run(this);
}

Run::~Run() {
  runtime_.jobs().clear();
  runtime_.set_run(nullptr);
}

Payload Run::execute() {
  return job_.getEntry() == wire::Entry::SCRIPT ? execute_script() : execute_module();
}

void Run::rejection_changed(JS::HandleObject promise, bool handled) {
  if (in_tests_ || job_.getEntry() == wire::Entry::SCRIPT) rejections_.changed(promise, handled);
}

double Run::elapsed_ms() const {
  return std::chrono::duration<double, std::milli>(Timers::Clock::now() - started_).count();
}

Payload Run::execute_module() {
  // Decoded before any guest code runs.
  JS::RootedValue list(cx_);
  JS::RootedValueVector arguments(cx_);
  const auto text = job_.getArguments().asChars();
  if (!decode_value(cx_, {text.begin(), text.size()}, "arguments", &list) ||
      !read_elements(cx_, list, arguments)) {
    return pending_failure(Kind::THREW);
  }
  JS::RootedObject main(cx_);
  if (auto end = evaluate_main(&main)) return std::move(*end);
  return call_default_export(main, arguments);
}

Payload Run::execute_script() {
  if (JS_DefineFunction(cx_, runtime_.global(), "require", native<require>, 1, 0) == nullptr) {
    return pending_failure(Kind::THREW);
  }
  JS::RootedObject main(cx_);
  if (job_.hasTests() && !tests_.offer_exports()) return pending_failure(Kind::THREW);
  if (auto end = evaluate_main(&main)) return std::move(*end);
  if (auto end = run_tests(main, JS::UndefinedHandleValue)) return std::move(*end);
  close();
  return encode_result(JS::UndefinedHandleValue);
}

std::optional<Payload> Run::evaluate_main(JS::MutableHandleObject main) {
  const std::string_view code = view_of(job_.getCode());
  main.set(sm::compile_module(cx_, std::string(view_of(job_.getSourceName())),
                              job_.hasTests() ? TestsScope::opened(code) : std::string(code),
                              JS::UndefinedHandleValue));
  if (!main) return pending_failure(Kind::SYNTAX);
  if (!sm::link_module(cx_, main)) return link_failure();
  if (job_.hasTests() && !tests_.enter(main)) return pending_failure(Kind::THREW);
  JS::RootedObject evaluation(cx_, sm::evaluate_module(cx_, main));
  if (!evaluation) return pending_failure(Kind::THREW);
  return await(evaluation);
}

std::optional<Payload> Run::await(JS::HandleObject promise) {
  if (auto end = end_of(loop_.run_until_settled(promise))) return end;
  if (JS::GetPromiseState(promise) == JS::PromiseState::Fulfilled) return std::nullopt;
  JS::RootedValue reason(cx_, JS::GetPromiseResult(promise));
  return failure(Kind::THREW, reason);
}

std::optional<Payload> Run::end_of(EventLoop::End end) {
  switch (end) {
    case EventLoop::End::kSettled:
      return std::nullopt;
    case EventLoop::End::kStuck: {
      Failure stuck{Kind::STUCK,
                    {"Error", "the top level awaits something that can never come", {}}};
      stuck.in_tests = in_tests_;
      return failure_frame(stuck);
    }
    case EventLoop::End::kThrew:
      return failure(Kind::THREW, loop_.uncaught());
    case EventLoop::End::kStopped:
      return runtime_.out_of_memory_frame();
    case EventLoop::End::kChannelClosed:
      return Payload();
  }
  return std::nullopt;
}

// A promise that nobody waits for, and a timeout, may hold what the tests are about: both count.
std::optional<Payload> Run::run_tests(JS::HandleObject main, JS::HandleValue result) {
  if (!job_.hasTests()) return std::nullopt;
  in_tests_ = true;
  loop_.set_background(Background::kCounts);
  const std::uint32_t last_timer = timers_.last_id();
  JS::RootedFunction require_function(cx_, JS_NewFunction(cx_, native<require>, 1, 0, "require"));
  if (require_function == nullptr) return pending_failure(Kind::THREW);
  JS::RootedObject require_object(cx_, JS_GetFunctionObject(require_function));
  JS::RootedObject promise(cx_,
                           tests_.begin(view_of(job_.getTests()), {main, require_object, result}));
  if (!promise) return pending_failure(Kind::THREW);
  if (auto end = await(promise)) return end;
  return end_of(loop_.run_until_idle(last_timer));
}

Payload Run::call_default_export(JS::HandleObject main, const JS::HandleValueArray& arguments) {
  JS::RootedObject space(cx_, JS::GetModuleNamespace(cx_, main));
  JS::RootedValue function(cx_);
  if (!space || !JS_GetProperty(cx_, space, "default", &function)) {
    return pending_failure(Kind::THREW);
  }
  if (!function.isObject() || !JS::IsCallable(&function.toObject())) {
    throw_error(
        cx_, JSEXN_ERR,
        std::string("default export is not a function but ") + describe_kind(cx_, function));
    return pending_failure(Kind::THREW);
  }
  JS::RootedValue returned(cx_);
  if (!JS::Call(cx_, JS::UndefinedHandleValue, function, arguments, &returned)) {
    return pending_failure(Kind::THREW);
  }
  JS::RootedObject promise(cx_, JS::CallOriginalPromiseResolve(cx_, returned));
  if (!promise) return pending_failure(Kind::THREW);
  if (auto end = await(promise)) return std::move(*end);
  JS::RootedValue result(cx_, JS::GetPromiseResult(promise));
  if (auto end = run_tests(main, result)) return std::move(*end);
  close();
  return encode_result(result);
}

Payload Run::encode_result(JS::HandleValue result) {
  constexpr std::uint64_t kMaxFrameText = kMaxPayloadBytes - 4096;
  const std::uint64_t limit = std::min(job_.getLimits().getResultBytes(), kMaxFrameText);
  const auto encoded = encode_value(cx_, result, "result", limit);
  if (runtime_.memory().exceeded()) return runtime_.out_of_memory_frame();
  if (encoded) return result_frame(*encoded);
  switch (encoded.error().kind) {
    case EncodeError::Kind::kBadValue:
      return failure_frame({Kind::BAD_RESULT, {"TypeError", encoded.error().message, {}}});
    case EncodeError::Kind::kTooLarge:
      return failure_frame({Kind::RESULT_TOO_LARGE, {"RangeError", encoded.error().message, {}}});
    case EncodeError::Kind::kStopped:
      break;
  }
  return runtime_.out_of_memory_frame();
}

Payload Run::pending_failure(Kind kind) {
  JS::RootedValue thrown(cx_);
  if (!JS_IsExceptionPending(cx_) || !JS_GetPendingException(cx_, &thrown)) {
    return runtime_.out_of_memory_frame();
  }
  JS_ClearPendingException(cx_);
  return failure(kind, thrown);
}

// A name that a module does not export is a mistake in the text, as a syntax error is; a module
// that may not be imported is not.
Payload Run::link_failure() {
  JS::RootedValue thrown(cx_);
  Kind kind = Kind::THREW;
  if (JS_IsExceptionPending(cx_) && JS_GetPendingException(cx_, &thrown) && thrown.isObject()) {
    JS::RootedObject error(cx_, &thrown.toObject());
    const auto position = sm::error_position(cx_, error);
    const bool in_main = position && position->file == view_of(job_.getSourceName());
    if (in_main && position->syntax) kind = Kind::SYNTAX;
  }
  return pending_failure(kind);
}

Payload Run::failure(Kind kind, JS::HandleValue thrown) {
  close();
  const bool allocation_failed =
      runtime_.memory().any_allocation_failed() && is_out_of_memory(cx_, thrown);
  if (allocation_failed || runtime_.memory().exceeded()) return runtime_.out_of_memory_frame();
  Failure failure{kind, read_error(cx_, thrown)};
  failure.in_tests = in_tests_;
  failure.denied_by = runtime_.capability_module().denials().request_of(thrown);
  if (kind == Kind::SYNTAX && thrown.isObject()) {
    JS::RootedObject error(cx_, &thrown.toObject());
    if (const auto position = sm::error_position(cx_, error)) {
      failure.line = position->line;
      failure.column = position->column;
    }
  }
  return failure_frame(failure);
}

void Run::close() {
  console_.close();
  calls_.close();
}

Payload run_job(Runtime& runtime, Channel& channel, const wire::Job::Reader& job) {
  try {
    Run run(runtime, channel, job);
    return run.execute();
  } catch (const std::exception&) {
    // Our own code throws only when memory is short.
    return runtime.out_of_memory_frame();
  }
}

}  // namespace cordon::engine

#pragma once
// One call, from its job to its last frame. Everything that belongs to the call alone is here.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/ValueArray.h>

#include "engine/script/channel.h"
#include "engine/script/console.h"
#include "engine/script/event_loop.h"
#include "engine/script/frames.h"
#include "engine/script/host_calls.h"
#include "engine/script/modules.h"
#include "engine/script/rejections.h"
#include "engine/script/tests_scope.h"
#include "engine/script/timers.h"
#include "engine/script/tool_modules.h"
#include "engine/script/wire.h"

namespace cordon::engine {

class Runtime;

class Run {
 public:
  // `job` and `channel` must outlive the run. One run at a time.
  Run(Runtime& runtime, Channel& channel, const wire::Job::Reader& job);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Runs the job to its end. Returns the last frame, not yet written; empty when the channel
  // closed.
  Payload execute();

  Console& console() { return console_; }
  Timers& timers() { return timers_; }
  HostCalls& calls() { return calls_; }
  Modules& modules() { return modules_; }
  const ToolModules& tools() const { return tools_; }
  void rejection_changed(JS::HandleObject promise, bool handled);
  double elapsed_ms() const;
  // Text to be written or sent is cut after so many bytes, and arguments of tools are not sent
  // (ChildLimits).
  std::size_t argument_bytes() const { return argument_bytes_; }

 private:
  Payload execute_module();
  Payload execute_script();
  // Compiles, links and evaluates the main module. Empty: it completed, and `main` is its record.
  std::optional<Payload> evaluate_main(JS::MutableHandleObject main);
  std::optional<Payload> await(JS::HandleObject promise);
  std::optional<Payload> end_of(EventLoop::End end);
  // Runs the job's tests, if it has any. Empty: all is well.
  std::optional<Payload> run_tests(JS::HandleObject main, JS::HandleValue result);
  Payload call_default_export(JS::HandleObject main, const JS::HandleValueArray& arguments);
  Payload encode_result(JS::HandleValue result);
  Payload link_failure();
  Payload pending_failure(wire::Failure::Kind kind);
  Payload failure(wire::Failure::Kind kind, JS::HandleValue thrown);
  // Late capability calls, timers and console output reach nobody.
  void close();

  Runtime& runtime_;
  JSContext* cx_;
  // How much may be read through it in all is bounded: what each capability call needs is a member
  // of its own.
  wire::Job::Reader job_;
  const std::size_t argument_bytes_;
  Channel& channel_;
  Timers::Clock::time_point started_ = Timers::Clock::now();
  Console console_;
  Timers timers_;
  HostCalls calls_;
  Modules modules_;
  ToolModules tools_;
  Rejections rejections_;
  EventLoop loop_;
  TestsScope tests_;
  bool in_tests_ = false;
};

// Runs `job` to its end. Returns the last frame, not yet written; empty when the channel closed.
Payload run_job(Runtime& runtime, Channel& channel, const wire::Job::Reader& job);

}  // namespace cordon::engine

#include "tests/cases/parent/host.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <future>
#include <thread>

#include "capabilities/policy_json.h"
#include "tests/cases/runner/process_table.h"

namespace cordon::cases {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// What call() would reject with, or the result.
Json told(const Outcome& outcome) {
  Json out;
  try {
    out = {{"ok", true}, {"result", outcome.value().json()}};
  } catch (const SandboxDeniedError& error) {
    out = {{"ok", false},
           {"name", "SandboxDeniedError"},
           {"message", error.what()},
           {"capability", error.capability()}};
    if (error.target()) out["target"] = *error.target();
  } catch (const SandboxError& error) {
    out = {{"ok", false}, {"name", error.name()}, {"message", error.what()}};
  }
  out["status"] = to_string(outcome.status);
  if (outcome.signal) out["signal"] = *outcome.signal;
  out["console"] = outcome.console;
  out["child_mib"] = static_cast<double>(outcome.usage.peak_memory_bytes) / (1 << 20);
  return out;
}

// The call of one run, taken through its steps.
class Drive {
 public:
  Drive(std::optional<AISandbox>& sandbox, Value arguments)
      : sandbox_(sandbox), arguments_(std::move(arguments)) {}

  void step(const Json& step) {
    const std::string what = step["do"];
    if (what == "start") start();
    if (what == "call") {
      start();
      join();
    }
    if (what == "join") join();
    if (what == "wait") std::this_thread::sleep_for(std::chrono::milliseconds(step["ms"]));
    if (what == "terminate")
      for (int i = step["times"]; i > 0; --i) sandbox_->terminate();
    if (what == "drop") sandbox_.reset();
    if (what == "refused_call") refused_call();
  }

  Json finish() {
    join();
    Json out =
        result_.is_null() ? Json{{"ok", false}, {"name", "none"}, {"message", "no call"}} : result_;
    out["refused_calls"] = refused_;
    return out;
  }

 private:
  void start() {
    try {
      pending_ = sandbox_->call_async(arguments_);
    } catch (const CallError& error) {
      result_ = {{"ok", false}, {"name", "CallError"}, {"message", error.what()}};
    }
  }
  void join() {
    if (!pending_.valid()) return;
    try {
      result_ = told(pending_.get());
    } catch (const CallError& error) {
      result_ = {{"ok", false}, {"name", "CallError"}, {"message", error.what()}};
    }
  }
  void refused_call() {
    try {
      sandbox_->call(arguments_);
      refused_.push_back(nullptr);
    } catch (const CallError& error) {
      refused_.push_back(error.what());
      if (result_.is_null() && !pending_.valid())
        result_ = {{"ok", false}, {"name", "CallError"}, {"message", error.what()}};
    }
  }

  std::optional<AISandbox>& sandbox_;
  const Value arguments_;
  std::future<Outcome> pending_;
  Json result_;
  Json refused_ = Json::array();
};

// The highest resident set is counted from now on.
void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace

Host::Host(const Json& setup) : runtime_(runtime_options(setup)) {}

RuntimeOptions Host::runtime_options(const Json& setup) {
  RuntimeOptions options;
  // None, so that every process beyond the runtime's own is the call's.
  options.spare_children = 0;
  options.on_audit = [this](const SandboxAuditEvent& event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(to_json(event));
  };
  if (const Json rules = setup["resolver"]; !rules.is_null())
    options.resolve_host = [this, rules](const std::string& name) { return resolve(rules, name); };
  return options;
}

std::vector<std::string> Host::resolve(const Json& rules, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto before = std::count(lookups_.begin(), lookups_.end(), name);
  lookups_.push_back(name);
  for (const Json& rule : rules) {
    if (rule["name"] != "*" && rule["name"] != name) continue;
    const Json& answers = rule["answers"];
    return answers[std::min(static_cast<std::size_t>(before), answers.size() - 1)];
  }
  return {};
}

Json Host::evaluate(const Json& job) {
  // By the guest's own Function: the expression is JavaScript, and is not changed on its way.
  const std::string source =
      "export default (text: string, args: unknown) => String(new Function('ARGS', `return "
      "(${text}\\n)`)(args));";
  const std::string arguments =
      "[" + json_text(job["expression"]) + "," + job["arguments"].get<std::string>() + "]";
  AISandbox sandbox(runtime_, source);
  const Outcome outcome = sandbox.call(Value::from_json(arguments));
  if (outcome.status != Status::kOk)
    return {{"ok", false}, {"message", outcome.error ? outcome.error->message : "failed"}};
  return {{"ok", true}, {"text", outcome.value().view().get<std::string>()}};
}

Json Host::run(const Json& job) {
  sandbox_.reset();
  {
    const std::lock_guard lock(mutex_);
    events_.clear();
    lookups_.clear();
  }
  const std::string source = job["source"];
  reset_peak_memory();
  const double memory_before = memory_mib(::getpid(), "VmRSS");
  const auto start = Clock::now();
  Json out;
  try {
    sandbox_.emplace(runtime_, source, policy_from_json(job["options"].get<std::string>()));
  } catch (const std::exception& error) {
    return {
        {"ok", false}, {"constructor", error.what()}, {"elapsed_ms", milliseconds_since(start)}};
  }
  Drive drive(sandbox_, Value::from_json(job["arguments"].get<std::string>()));
  for (const Json& step : job["steps"]) drive.step(step);
  out = drive.finish();
  out["elapsed_ms"] = milliseconds_since(start);
  out["memory_growth_mib"] = memory_mib(::getpid(), "VmHWM") - memory_before;
  return out;
}

Json Host::events() const {
  const std::lock_guard lock(mutex_);
  return {{"events", events_}, {"lookups", lookups_}};
}

}  // namespace cordon::cases

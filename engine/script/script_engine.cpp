#include "engine/script_engine.h"

#include <utility>

#include "engine/script/channel.h"
#include "engine/script/run.h"
#include "engine/script/runtime.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/warm_up.h"
#include "engine/script/wire.h"

namespace cordon::engine {

class ScriptEngine::Impl {
 public:
  explicit Impl(std::unique_ptr<Runtime> runtime) : runtime_(std::move(runtime)) {}
  Runtime& runtime() { return *runtime_; }

 private:
  std::unique_ptr<Runtime> runtime_;
};

Result<std::unique_ptr<ScriptEngine>, std::string> ScriptEngine::create(
    const ScriptEngineOptions& options) {
  auto runtime = Runtime::create(options);
  if (!runtime) return runtime.error();
  return std::unique_ptr<ScriptEngine>(
      new ScriptEngine(std::make_unique<Impl>(std::move(*runtime))));
}

ScriptEngine::ScriptEngine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

// A process has one engine for life, and children end without unwinding: the engine is not taken
// down, since that would only touch pages that are about to vanish.
ScriptEngine::~ScriptEngine() { (void)impl_.release(); }

void ScriptEngine::warm_up() { run_warm_up_jobs(impl_->runtime()); }

void ScriptEngine::compact() { sm::compact_heap(impl_->runtime().context()); }

void ScriptEngine::settle() { run_small_jobs(impl_->runtime()); }

void ScriptEngine::rehearse() { run_rehearsal(impl_->runtime()); }

void ScriptEngine::after_fork() { impl_->runtime().random().reseed(); }

void ScriptEngine::serve(int channel) {
  Runtime& runtime = impl_->runtime();
  DescriptorChannel frames(channel);
  const Payload first = frames.read();
  if (first.empty()) return;
  const auto view = Message<wire::HostFrame>(first).read();
  if (!view->isJob()) return;
  const wire::Job::Reader job = view->getJob();
  runtime.memory().start(runtime.context(), job.getLimits().getHeapBytes());
  const Payload last = run_job(runtime, frames, job);
  if (!last.empty()) frames.write(last);
}

std::string ScriptEngine::version() { return sm::version(); }

std::size_t ScriptEngine::heap_chunk_bytes() noexcept { return sm::heap_chunk_bytes(); }

}  // namespace cordon::engine

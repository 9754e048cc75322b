// A sandbox child: from the order to fork until it is there, killed and reaped.

#include <benchmark/benchmark.h>

#include <signal.h>

#include "actors/process/pidfd.h"
#include "actors/process/zygote_client.h"
#include "benchmarks/micro/processes.h"

namespace cordon::micro {
namespace {

using Forked = Result<ChildProcess, StartFailure>;

Forked fork_child(ZygoteClient& zygote) {
  std::promise<Forked> promise;
  auto future = promise.get_future();
  zygote.fork([&](Forked child) { promise.set_value(std::move(child)); });
  return future.get();
}

void fork_and_reap(benchmark::State& state) {
  const Running<ZygoteClient> zygote(ZygoteOptions{.executable = engine_file("cordon-engine")});
  if (zygote.client() == nullptr) return state.SkipWithError(zygote.problem().c_str());
  for (auto _ : state) {
    const Forked child = fork_child(*zygote.client());
    if (!child) return state.SkipWithError(child.error().message.c_str());
    send_signal(child->pidfd.get(), SIGKILL);
    benchmark::DoNotOptimize(reap(child->pidfd.get()).signal);
  }
}
BENCHMARK(fork_and_reap)->Name("process/fork and reap")->UseRealTime();

}  // namespace
}  // namespace cordon::micro

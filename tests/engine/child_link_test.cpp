// Children as the actors use them, but from plain threads: this is where ThreadSanitizer sees the
// I/O side whole, without CAF between (docs/decisions/017-thread-sanitizer.md).

#include <signal.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "actors/process/io_thread.h"
#include "actors/process/limit_timer.h"
#include "actors/process/spare_children.h"
#include "messages/session.capnp.h"
#include "tests/engine/harness.h"

using namespace cordon;
using namespace std::chrono_literals;

namespace {

struct World {
  World() {
    auto started = ZygoteClient::start(io.context(), test::probe_options());
    if (!started) FAIL(started.error().message);
    zygote = std::move(*started);
    children = std::make_unique<SpareChildren>(io.context(), *zygote, 2);
  }
  ~World() { io.stop(); }

  std::shared_ptr<Child> acquire() {
    std::promise<std::shared_ptr<Child>> promise;
    children->acquire([&](auto result) { promise.set_value(result ? *result : nullptr); });
    return promise.get_future().get();
  }

  // Declared as they are made: what handlers use outlives the thread.
  IoThread io;
  LimitTimers limits;
  std::unique_ptr<ZygoteClient> zygote;
  std::unique_ptr<SpareChildren> children;
};

struct End {
  std::string result;
  ChildExit exit;
};

// One call: a probe for a job, and what comes of it.
End run(World& world, const std::string& probe, std::chrono::milliseconds wall_clock) {
  auto exited = std::make_shared<std::promise<ChildExit>>();
  auto result = std::make_shared<std::string>();  // the exit comes after it
  const auto watch = world.limits.begin({wall_clock, {}}, [](KillReason) {});
  const auto child = world.acquire();
  if (!child) return {};  // Catch's assertions are for one thread
  const std::weak_ptr<Child> weak = child;
  const auto failure =
      child->start({.memory_bytes = 32 << 20,
                    .max_frame_bytes = 1 << 20,
                    .max_unanswered_frames = 4,
                    .max_unanswered_bytes = 1 << 20},
                   {.frame =
                        [result, weak](Payload frame) {
                          const Message<wire::ChildFrame> message(frame);
                          const auto view = message.read();
                          const auto data = view->getResult();
                          result->assign(reinterpret_cast<const char*>(data.begin()), data.size());
                          if (const auto alive = weak.lock()) {
                            alive->acknowledge(frame.bytes().size());
                            alive->kill(KillReason::kDone);
                          }
                        },
                    .exited = [exited](const ChildExit& exit) { exited->set_value(exit); }});
  if (failure) return {failure->message, {}};
  watch->watch(child);
  child->send(Message<wire::HostFrame>::build(
      [&](wire::HostFrame::Builder frame) { frame.initJob().setCode(probe); }));
  child->cpu_time();
  End end;
  end.exit = exited->get_future().get();
  end.result = *result;
  return end;
}

}  // namespace

TEST_CASE("children are run from many threads at once, to their own ends") {
  World world;
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&world, &good] {
      for (int i = 0; i < 20; ++i) {
        const End answered = run(world, "nothing", 120s);
        if (answered.result == "ok" && answered.exit.killed == KillReason::kDone) ++good;
        const End limited = run(world, "wait", 10ms);
        if (limited.exit.killed == KillReason::kWallClock && limited.result.empty()) ++good;
        // The zygote is replaced over it, under everybody's feet.
        const End crashed = run(world, "illegal instruction", 120s);
        if (crashed.exit.signalled && crashed.exit.status == SIGILL) ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(good == 4 * 20 * 3);
}

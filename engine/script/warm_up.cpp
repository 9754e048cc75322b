#include "engine/script/warm_up.h"

#include <js/Exception.h>
#include <js/RootingAPI.h>
#include <js/Value.h>

#include <algorithm>
#include <string_view>

#include "engine/script/channel.h"
#include "engine/script/run.h"
#include "engine/script/runtime.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/wire.h"

namespace cordon::engine {

namespace {

constexpr int kJobs = 20;
// Few counters are to be left that a child would write to. The engine begins to count in a function
// at its 10th run, compiles it at the 100th, and again at the 500th and the 1500th. So what every
// job needs runs more than 500 times, but not a number that a call for each job makes one of those
// with: a child would compile it. What many jobs need runs fewer than 10 times.
constexpr int kSmallJobs = 600;
constexpr int kPrintingJobs = 8;

// What an ordinary guest does in its first moments.
constexpr const char* kCode = R"js(
import { environment } from 'fino:ai/sandbox/capabilities';
class Point { #x; constructor(x) { this.#x = x; } get x() { return this.#x; } }
export default async function (n, text, bytes) {
  const counts = new Map();
  for (let i = 0; i < n; i++) counts.set(`k${i % 7}`, (counts.get(`k${i % 7}`) ?? 0) + i);
  const words = text.split(/\s+/).filter((w) => /^[a-z]+$/i.test(w)).map((w) => w.toUpperCase()).sort();
  const add = (a) => (b) => a + b;
  const reply = await environment('NAME');
  await new Promise((resolve) => setTimeout(resolve, 0));
  let failure = '';
  try { null.x; } catch (error) { failure = `${error.message} ${error.stack}`; }
  const copy = JSON.parse(JSON.stringify({ words, n, list: [...counts.entries()] }));
  console.log('warm', copy.n, reply);
  return { copy, sum: [1, 2, 3].reduce((a, b) => add(a)(b), 0), x: new Point(4).x, counts,
           set: new Set(words), when: new Date(0), bytes, random: Math.random() < 2, failure };
}
)js";

// The least that a guest does, in the form that the compiler gives it.
constexpr const char* kSmallCode = R"js(var __defProp = Object.defineProperty;
var __name = (target, value) => __defProp(target, "name", { value, configurable: true });
var main_default = /* @__PURE__ */ __name((x) => x + 1, "default");
export {
  main_default as default
};
)js";
constexpr std::string_view kSmallArguments = "[41]";

constexpr const char* kPrintingCode = R"js(var main_default = () => {
  console.log('ready');
  return new Promise((resolve) => resolve(1));
};
export { main_default as default };
)js";
constexpr std::string_view kNoArguments = "[]";

constexpr std::string_view kArguments =
    R"([200,"the quick brown fox jumps over 13 dogs",{"$bytes":"AAEC"}])";

Message<wire::HostFrame> build_job(const char* code, std::string_view argument_list) {
  return Message<wire::HostFrame>::build([&](wire::HostFrame::Builder frame) {
    auto job = frame.initJob();
    job.setCode(code);
    job.setSourceName("warm.ts");
    auto arguments = job.initArguments(static_cast<unsigned>(argument_list.size()));
    std::copy(argument_list.begin(), argument_list.end(), arguments.asChars().begin());
    auto limits = job.initLimits();
    limits.setConsoleBytes(1 << 16);
    limits.setResultBytes(1 << 20);
  });
}

void run(Runtime& runtime, const Message<wire::HostFrame>& job) {
  const auto view = job.read();
  WarmUpChannel channel;
  const Payload result = run_job(runtime, channel, view->getJob());
}

}  // namespace

void run_rehearsal(Runtime& runtime) { run(runtime, build_job(kSmallCode, kSmallArguments)); }

void run_small_jobs(Runtime& runtime) {
  const auto small = build_job(kSmallCode, kSmallArguments);
  for (int i = 0; i < kSmallJobs; ++i) run(runtime, small);
  const auto printing = build_job(kPrintingCode, kNoArguments);
  for (int i = 0; i < kPrintingJobs; ++i) run(runtime, printing);
}

void run_warm_up_jobs(Runtime& runtime) {
  const auto job = build_job(kCode, kArguments);
  for (int i = 0; i < kJobs; ++i) run(runtime, job);
  // RegExp.lastMatch and its kin remember the last match: make it an empty one, as at the start.
  JS::RootedValue ignored(runtime.context());
  if (!sm::evaluate_script(runtime.context(), "warm", "/^/.test('')", &ignored)) {
    JS_ClearPendingException(runtime.context());
  }
}

}  // namespace cordon::engine

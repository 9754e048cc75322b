// The real script engine in the real cage: what guest programs make the engine do must fit through
// the system call filter, warm, forked, with and without a JIT.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <thread>

#include "messages/exit_codes.h"
#include "messages/frame.h"
#include "messages/session.capnp.h"
#include "tests/engine/harness.h"

using namespace cordon;
using namespace cordon::test;

namespace {

constexpr std::uint64_t kHeapBytes = std::uint64_t{128} << 20;

struct Fixture {
  explicit Fixture(bool jit) {
    auto started = ZygoteClient::start(io.io, {.executable = CORDON_ENGINE, .jit = jit});
    if (!started) FAIL(started.error().mechanism + ": " + started.error().message);
    client = std::move(*started);
  }
  ~Fixture() { io.stop(); }  // the client wants its thread stopped

  IoThread io;
  std::unique_ptr<ZygoteClient> client;
};

ZygoteClient& engine(bool jit) {
  static const Fixture kWithJit(true);
  static const Fixture kWithout(false);
  return jit ? *kWithJit.client : *kWithout.client;
}

struct JobResult {
  std::string value;    // the result's text
  std::string failure;  // or the failure's name and message
  ProcessEnd end;
};

// `body` is that of the default export.
ChildProcess start_body(bool jit, const std::string& body, std::uint64_t memory_bytes = kHeapBytes,
                        ZygoteClient::Use use = ZygoteClient::Use::kNow) {
  ChildProcess child = fork_child(engine(jit), use);
  const rlim_t bytes = child.base_data_bytes + memory_bytes;
  const rlimit limit{bytes, bytes};
  REQUIRE(::prlimit(child.pid, RLIMIT_DATA, &limit, nullptr) == 0);
  REQUIRE(::fcntl(child.channel.get(), F_SETFL, 0) == 0);
  REQUIRE(write_frame(child.channel.get(),
                      Message<wire::HostFrame>::build([&](wire::HostFrame::Builder frame) {
                        auto job = frame.initJob();
                        job.setCode("export default async function() {" + body + "}");
                        job.setSourceName("main.ts");
                        job.setArguments(kj::StringPtr("[]").asBytes());
                        auto limits = job.initLimits();
                        limits.setHeapBytes(kHeapBytes);
                        limits.setConsoleBytes(1 << 16);
                        limits.setResultBytes(1 << 20);
                      })));
  return child;
}

JobResult finish(ChildProcess child) {
  JobResult result;
  for (;;) {
    const Message<wire::ChildFrame> answer(read_frame(child.channel.get(), 1 << 24));
    if (answer.empty()) break;
    const auto frame = answer.read();
    if (frame->isResult()) {
      result.value = frame->getResult().asChars().begin() == nullptr
                         ? ""
                         : std::string(frame->getResult().asChars().begin(),
                                       frame->getResult().asChars().size());
    } else if (frame->isFailure()) {
      result.failure = std::string(frame->getFailure().getName().cStr()) + ": " +
                       frame->getFailure().getMessage().cStr();
    } else {
      continue;
    }
    break;
  }
  result.end = reap(child.pidfd.get());
  return result;
}

JobResult run_body(bool jit, const std::string& body, std::uint64_t memory_bytes = kHeapBytes,
                   ZygoteClient::Use use = ZygoteClient::Use::kNow) {
  return finish(start_body(jit, body, memory_bytes, use));
}

void wait_for_state(pid_t pid, char state) {
  while (proc_line(pid, "status", "State:").substr(0, 1) != std::string(1, state)) {
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("guest programs run in the cage") {
  struct Program {
    const char* body;
    const char* value;
  };
  const auto program = GENERATE(
      Program{"return 6 * 7", "42"}, Program{"return new Date(0).toString().length > 10", "true"},
      Program{"return new Date(0).getTimezoneOffset()", "0"},
      Program{"return (1234.5).toLocaleString('de-DE').length > 3", "true"},
      Program{"return new Intl.DateTimeFormat('en', {timeZone: 'Asia/Tokyo'}).format(0).length > 5",
              "true"},
      Program{"return ['b', 'ä', 'a'].sort(new Intl.Collator('sv').compare).join('')", "\"abä\""},
      // Hot enough for every tier of the JIT.
      Program{"let s = 0; for (let i = 0; i < 3e6; i++) s = (s + i * 3) | 0; return typeof s",
              "\"number\""},
      Program{"const f = n => n < 2 ? n : f(n - 1) + f(n - 2); return f(25)", "75025"},
      Program{"return /^(a+)+b/.test('a'.repeat(20) + 'b')", "true"},
      // Garbage, in the nursery and out of it, large and small.
      Program{"let n = 0; for (let i = 0; i < 300000; i++) n += [i, {i}].length; return n",
              "600000"},
      Program{"let k; for (let i = 0; i < 200; i++) k = new Uint8Array(1 << 20).fill(i); "
              "return k[5]",
              "199"},
      Program{"const m = new Map(); for (let i = 0; i < 100000; i++) m.set('k' + i, {i}); "
              "return m.size",
              "100000"},
      Program{"return JSON.stringify(JSON.parse('[' + '1,'.repeat(50000) + '1]')).length",
              "100003"},
      Program{"return await new Promise(r => setTimeout(() => r('late'), 20))", "\"late\""},
      Program{"try { (function f() { f() })() } catch (e) { return e instanceof Error }", "true"},
      Program{"return crypto.getRandomValues(new Uint8Array(16)).length", "16"},
      Program{"return performance.now() >= 0", "true"});
  const bool jit = GENERATE(true, false);
  INFO(program.body << (jit ? "" : " (no JIT)"));
  const JobResult result = run_body(jit, program.body);
  CHECK(result.failure == "");
  CHECK(result.value == program.value);
  CHECK(result.end.signal == 0);
  CHECK(result.end.code == kExitDone);
}

TEST_CASE("a guest that waits goes on after it was stopped") {
  // As by the freezer of a container, or a debugger: its system call is restarted then.
  ChildProcess child = start_body(
      true,
      "console.log('waits'); return await new Promise(r => setTimeout(() => r('late'), 300))");
  REQUIRE_FALSE(read_frame(child.channel.get(), 1 << 16).empty());
  wait_for_state(child.pid, 'S');
  REQUIRE(send_signal(child.pidfd.get(), SIGSTOP));
  wait_for_state(child.pid, 'T');
  REQUIRE(send_signal(child.pidfd.get(), SIGCONT));
  const JobResult result = finish(std::move(child));
  CHECK(result.value == "\"late\"");
  CHECK(result.end.signal == 0);
}

TEST_CASE("random numbers differ between children") {
  CHECK(run_body(true, "return Math.random()").value !=
        run_body(true, "return Math.random()").value);
}

TEST_CASE("a child that has rehearsed shows its guest nothing of it") {
  const auto run = [](const std::string& body, ZygoteClient::Use use) {
    const JobResult result = run_body(true, body, kHeapBytes, use);
    CHECK(result.failure == "");
    return result.value;
  };
  using Use = ZygoteClient::Use;
  const std::string look =
      "console.count(); const seen = Reflect.ownKeys(globalThis).map(String).sort();"
      "for (const name of Reflect.ownKeys(RegExp)) seen.push(String(name), typeof RegExp[name]);"
      "seen.push(RegExp.lastMatch, RegExp.$_, String(performance.now() < 60000));"
      "seen.push(String(setTimeout(() => {}, 0)), new Error('here').stack);"
      "return seen";
  CHECK(run(look, Use::kLater) == run(look, Use::kNow));
  const std::string random = "return [Math.random(), crypto.randomUUID()]";
  CHECK(run(random, Use::kLater) != run(random, Use::kLater));
}

TEST_CASE("no memory of a child is writable and executable, and no file of it can be written") {
  const ChildProcess child = fork_child(engine(true), ZygoteClient::Use::kLater);
  std::ifstream maps("/proc/" + std::to_string(child.pid) + "/maps");
  std::size_t executable = 0;
  for (std::string line; std::getline(maps, line);) {
    INFO(line);
    const std::string access = line.substr(line.find(' ') + 1, 4);
    CHECK_FALSE((access[1] == 'w' && access[2] == 'x'));
    CHECK(access[3] == 'p');
    executable += access[2] == 'x' ? 1 : 0;
  }
  if (executable == 0 && ::geteuid() != 0) {
    WARN("skipped: only root may look at the memory of an undumpable process");
  } else {
    CHECK(executable > 0);
  }
  send_signal(child.pidfd.get(), SIGKILL);
  reap(child.pidfd.get());
}

TEST_CASE("running out of memory is never a crash") {
  const char* body = GENERATE(
      "const a = []; for (;;) a.push(new Array(100000).fill(7))",
      "let s = 'x'; const a = []; for (;;) { s += s; a.push(s + 1); a.push([...s].length) }",
      "const a = []; for (;;) a.push(new Uint8Array(8 << 20).fill(1))",
      "const m = new Map(); for (let i = 0;; i++) m.set(i, {i, s: 'x' + i})",
      "const a = []; for (;;) a.push(/(a|b)*c/.exec('ab'.repeat(1000) + 'c'))");
  const std::uint64_t memory = GENERATE(std::uint64_t{24} << 20, std::uint64_t{160} << 20);
  INFO(body << " in " << memory);
  const JobResult result = run_body(true, body, memory);
  INFO(result.failure << " signal " << result.end.signal << " code " << result.end.code);
  CHECK(result.value == "");
  CHECK((result.failure != "" || result.end.code == kExitOutOfMemory));
}

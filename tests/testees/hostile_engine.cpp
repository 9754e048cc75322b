// A script engine that a guest has taken over: fully locked down, it speaks the session protocol as
// an attacker would. The job's code names the attack; any other code is answered honestly with 1.

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <capnp/message.h>

#include "engine/probe/idle_script_engine.h"
#include "messages/exit_codes.h"
#include "messages/frame.h"
#include "messages/session.capnp.h"

// What main.cpp takes for SpiderMonkey's.
extern "C" {
const char* gMozCrashReason = nullptr;
}

namespace cordon::engine {

namespace {

using Frame = wire::ChildFrame::Builder;
using Words = std::vector<std::uint64_t>;

// ---------------------------------------------------------------------------------- bytes

// The channel does not block. False when the host is gone.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd writable{fd, POLLOUT, 0};
      ::poll(&writable, 1, -1);
      if ((writable.revents & (POLLERR | POLLHUP)) != 0) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::string word(std::uint64_t value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class Fill>
std::string frame(Fill&& fill) {
  const auto message = Message<wire::ChildFrame>::build(std::forward<Fill>(fill));
  const auto bytes = message.bytes();
  return word(bytes.size()).append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::string result(std::string_view json) {
  return frame([=](Frame builder) {
    builder.setResult(kj::arrayPtr(reinterpret_cast<const kj::byte*>(json.data()), json.size()));
  });
}

std::string environment(std::uint64_t id) {
  return frame([=](Frame builder) {
    auto request = builder.initRequest();
    request.setId(id);
    request.setEnvironment("NAME");
  });
}

std::string console(const std::string& text, bool truncated = false) {
  return frame([&](Frame builder) {
    auto line = builder.initConsole();
    line.setText(text);
    line.setTruncated(truncated);
  });
}

std::string failure(wire::Failure::Kind kind, std::uint64_t denied_by) {
  return frame([=](Frame builder) {
    auto failure = builder.initFailure();
    failure.setKind(kind);
    failure.setName("Lie\xff");
    failure.setMessage("a lie");
    failure.setDeniedBy(denied_by);
    failure.setLine(4'000'000'000);
    failure.setColumn(4'000'000'000);
  });
}

// A pointer to no bytes.
constexpr std::uint64_t kEmptyList = std::uint64_t{2} << 32 | 1;

// A frame of one segment, word by word.
std::string raw_frame(const Words& segment) {
  std::string bytes = word((segment.size() + 1) * sizeof(std::uint64_t)) +
                      word(std::uint64_t{segment.size()} << 32);
  for (const std::uint64_t each : segment) bytes += word(each);
  return bytes;
}

// Cap'n Proto's own encoding of pointers.
constexpr std::uint64_t struct_at(std::int32_t offset, std::uint32_t data, std::uint32_t pointers) {
  return (std::uint64_t{data | pointers << 16} << 32) | (static_cast<std::uint32_t>(offset) << 2);
}
constexpr std::uint64_t list_at(std::int32_t offset, std::uint32_t size, std::uint32_t count) {
  return (std::uint64_t{size | count << 3} << 32) | (static_cast<std::uint32_t>(offset) << 2) | 1;
}

// A good request whose headers all are the same large text: little on the wire, much to read.
std::string amplified() {
  constexpr std::uint32_t kHeaders = 4000;
  constexpr std::uint32_t kTextBytes = 8000;
  capnp::MallocMessageBuilder message(1 << 16);  // one segment
  auto request = message.initRoot<wire::ChildFrame>().initRequest();
  request.setId(1);
  auto fetch = request.initFetchText();
  fetch.setUrl("http://granted.example/");
  auto headers = fetch.initHeaders(kHeaders);
  for (unsigned i = 0; i < kHeaders; ++i) headers[i].setName("x");
  headers[0].setValue(std::string(kTextBytes, 'x'));
  const Payload payload = Payload::flatten(message);
  const auto content = payload.bytes();
  std::string bytes(reinterpret_cast<const char*>(content.data()), content.size());
  Words words(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  // The text's pointer, the only one to so long a list of bytes, is repeated in every null pointer
  // after it: each element has name and value, of which values are null.
  constexpr std::uint64_t kTail = std::uint64_t{2 | (kTextBytes + 1) << 3} << 32;
  std::size_t at = 0;
  while (at < words.size() && (words[at] & ~std::uint64_t{0xffff'ffff}) != kTail) ++at;
  if (at == words.size()) ::_exit(kExitUsage);
  const std::uint64_t target = at + 1 + ((words[at] & 0xffff'ffff) >> 2);
  for (std::size_t i = at + 2; i < at + std::size_t{2} * kHeaders && i < target; i += 2) {
    if (words[i] == 0) words[i] = kTail | (target - i - 1) << 2 | 1;
  }
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return word(bytes.size()) + bytes;
}

// ---------------------------------------------------------------------------------- attacks

[[noreturn]] void linger() {
  for (;;) ::poll(nullptr, 0, -1);
}

[[noreturn]] void repeat(int fd, const std::string& bytes) {
  while (write_all(fd, bytes)) {
  }
  linger();
}

[[noreturn]] void flood_with_requests(int fd) {
  for (std::uint64_t id = 1; write_all(fd, environment(id)); ++id) {
  }
  linger();
}

using Attack = std::function<void(int fd)>;

struct NamedAttack {
  std::string_view name;
  Attack attack;
};

Attack say(std::string bytes) {
  return [bytes = std::move(bytes)](int fd) { write_all(fd, bytes); };
}

Attack say_and_linger(std::string bytes) {
  return [bytes = std::move(bytes)](int fd) {
    write_all(fd, bytes);
    linger();
  };
}

const std::vector<NamedAttack>& attacks() {
  static const std::vector<NamedAttack> kAttacks{
      {"id zero", say(environment(0))},
      {"id again", say(environment(3) + environment(3))},
      {"id going back", say(environment(7) + environment(2))},
      {"largest id", say(environment(~std::uint64_t{0}) + result("1"))},
      {"unknown member", say(raw_frame({struct_at(0, 1, 1), 999, 0}))},
      {"unknown request", say(raw_frame({struct_at(0, 1, 1), 0, struct_at(0, 2, 1), 1, 999, 0}))},
      {"tool that is a list",
       say_and_linger(raw_frame({struct_at(0, 1, 1), 0, struct_at(0, 2, 1), 1, 6, kEmptyList}))},
      {"length of everything", say(word(~std::uint64_t{0}))},
      {"length over the cap", say(word(std::uint64_t{1} << 40))},
      {"length of nothing", say(word(0))},
      {"length that is odd", say(word(17))},
      {"table that lies", say(word(16) + word(0xffff'ffff'ffff'fffe) + word(0))},
      {"no root", say(word(8) + word(0))},
      {"pointer to itself", say(raw_frame({struct_at(-1, 1, 1)}))},
      {"pointer out of the message", say(raw_frame({struct_at(5000, 1, 1)}))},
      {"far pointer", say(raw_frame({(std::uint64_t{7} << 32) | 2}))},
      {"result out of the message",
       say(raw_frame({struct_at(0, 1, 1), 2, list_at(0, 2, 1 << 28)}))},
      {"deep nesting",
       [](int fd) {
         // A JSON result of a million levels, and pointers of as many.
         write_all(fd, result(std::string(1'000'000, '[')));
       }},
      {"amplification", say_and_linger(amplified())},
      {"endless console", [](int fd) { repeat(fd, console(std::string(1000, 'x'))); }},
      {"endless empty console", [](int fd) { repeat(fd, console("")); }},
      {"endless requests", flood_with_requests},
      {"half a header", say_and_linger(word(64).substr(0, 3))},
      {"half a frame", say_and_linger(result("123").substr(0, 20))},
      {"half a frame and death",
       [](int fd) {
         write_all(fd, result("123").substr(0, 20));
         ::_exit(kExitDone);
       }},
      {"closing",
       [](int fd) {
         ::close(fd);
         ::_exit(kExitDone);
       }},
      {"closing and lingering",
       [](int fd) {
         ::close(fd);
         linger();
       }},
      {"silence", say_and_linger("")},
      {"writing after the result",
       [](int fd) {
         write_all(fd, result("1") + environment(1));
         flood_with_requests(fd);
       }},
      {"two results", say(result("1") + result("2"))},
      {"failure after the result", say(result("1") + failure(wire::Failure::Kind::THREW, 0))},
      {"result that is no JSON", say(result("{\"a\":"))},
      {"result that is no UTF-8", say(result("\"\xff\xfe\""))},
      {"result that is empty", say(result(""))},
      {"result over its limit", say(result('"' + std::string(10'000, 'x') + '"'))},
      {"console over its limit", say(console(std::string(5000, 'x')) + console("y") + result("1"))},
      {"console that is no UTF-8", say(console("a\xff\xc0z") + result("1"))},
      {"console that says it was cut", say(console("a", true) + console("b") + result("1"))},
      {"denial of nothing", say(failure(wire::Failure::Kind::THREW, 99))},
      {"syntax error nowhere", say(failure(wire::Failure::Kind::SYNTAX, 0))},
      {"unknown kind of failure", say(failure(static_cast<wire::Failure::Kind>(999), 0))},
      {"out of memory, it says", say(failure(wire::Failure::Kind::OUT_OF_MEMORY, 0))},
      {"exit as if out of memory", [](int) { ::_exit(kExitOutOfMemory); }},
      {"exit as if done", [](int) { ::_exit(kExitDone); }},
      {"exit as if never locked", [](int) { ::_exit(kExitNotLocked); }},
      {"stopping itself", [](int) { *static_cast<volatile int*>(nullptr) = 1; }},
  };
  return kAttacks;
}

void serve_job(int channel, std::string_view code) {
  for (const NamedAttack& each : attacks()) {
    const std::string marker = "attack: " + std::string(each.name) + "!";
    if (code.find(marker) != std::string_view::npos) return each.attack(channel);
  }
  write_all(channel, result("1"));
}

}  // namespace

Result<std::unique_ptr<ScriptEngine>, std::string> ScriptEngine::create(
    const ScriptEngineOptions&) {
  attacks();
  return std::unique_ptr<ScriptEngine>(new ScriptEngine(std::make_unique<Impl>()));
}

std::string ScriptEngine::version() { return "hostile-1"; }

void ScriptEngine::serve(int channel) {
  const Message<wire::HostFrame> job = await_job(channel, 1 << 20);
  if (job.empty()) return;
  const auto view = job.read();
  serve_job(channel, view->getJob().getCode().cStr());
}

}  // namespace cordon::engine

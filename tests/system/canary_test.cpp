// Planted secrets of the host and of other tenants: no guest, no event, no error and no process of
// the sandbox holds them.

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "messages/unique_fd.h"
#include "tests/support/sanitized.h"
#include "tests/system/canary.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using test::canary;
using test::reversed;
using test::ScratchDirectory;
using test::World;

namespace {

// Looks through everything that can be reached from the realm and the module, and asks for all it
// can think of. Texts to look for come reversed: the arguments are no find.
constexpr const char* kSearch = R"(
  import * as capabilities from 'fino:ai/sandbox/capabilities';
  export default async (reversed: string[], names: string[], paths: string[]) => {
    const wanted = reversed.map(text => [...text].reverse().join(''));
    const finds: string[] = [];
    let texts = 0;
    const look = (text: string, where: string) => {
      ++texts;
      if (wanted.some(each => text.includes(each))) finds.push(where);
    };
    const seen = new Set<unknown>();
    const queue: [unknown, string][] =
      [[globalThis, 'global'], [import.meta, 'meta'], [capabilities, 'module']];
    const skip = new Set<unknown>([wanted, reversed, names, paths, finds, queue]);
    const push = (value: unknown, where: string) => {
      if (typeof value === 'string') return look(value, where);
      if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return;
      if (seen.has(value) || skip.has(value)) return;
      seen.add(value);
      queue.push([value, where]);
    };
    while (queue.length > 0) {
      const [value, where] = queue.pop()!;
      if (typeof value === 'function') look(Function.prototype.toString.call(value), where);
      push(Object.getPrototypeOf(value), where + '.[[Prototype]]');
      for (const key of Reflect.ownKeys(value as object)) {
        look(String(key), where);
        const property = Object.getOwnPropertyDescriptor(value, key);
        push(property?.value, where + '.' + String(key));
        push(property?.get, where + '.get ' + String(key));
        push(property?.set, where + '.set ' + String(key));
        try { push((value as any)[key], where + '.' + String(key)); } catch {}
      }
    }
    const granted: string[] = [];
    const attempt = async (what: string, action: () => Promise<unknown>) => {
      try {
        granted.push(what);
        look(String(await action()), what);
      } catch (error: any) {
        granted.pop();
        look(String(error.message), what);
        look(String(error.stack), what);
      }
    };
    for (const name of names) {
      await attempt('environment', () => capabilities.environment(name));
      await attempt('secret', () => capabilities.secret(name));
    }
    for (const path of paths) await attempt('readText', () => capabilities.readText(path));
    look(new Error('x').stack ?? '', 'stack');
    return { finds, granted, objects: seen.size, texts };
  };
)";

// Every page of a process that root can read. None: the process is gone, or may not be read.
std::optional<bool> holds(pid_t pid, const std::vector<std::string>& texts, std::size_t& bytes) {
  const std::string proc = "/proc/" + std::to_string(pid);
  const UniqueFd memory(::open((proc + "/mem").c_str(), O_RDONLY | O_CLOEXEC));
  std::ifstream maps(proc + "/maps");
  if (!memory || !maps) return std::nullopt;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    char dash = 0;
    fields >> std::hex >> begin >> dash >> end;
    std::string piece(kPiece, '\0');
    for (std::uint64_t at = begin; at < end; at += kPiece) {
      const ssize_t count =
          ::pread(memory.get(), piece.data(), std::min<std::size_t>(kPiece, end - at),
                  static_cast<off_t>(at));
      if (count <= 0) break;  // reserved, never used
      bytes += static_cast<std::size_t>(count);
      const std::string_view part(piece.data(), static_cast<std::size_t>(count));
      for (const std::string& text : texts) {
        if (part.find(text) != std::string_view::npos) return true;
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("planted canaries are found by no guest, event, error or process") {
  const ScratchDirectory scratch;
  const std::string in_environment = canary("environment");
  const std::string in_file = canary("file");
  const std::string in_descriptor = canary("descriptor");
  const std::string in_memory = canary("memory");
  const std::string in_secret = canary("secret");
  const std::string in_grant = canary("grant");
  const std::vector<std::string> all{in_environment, in_file,   in_descriptor,
                                     in_memory,      in_secret, in_grant};
  REQUIRE(::setenv("CORDON_TEST_CANARY", in_environment.c_str(), 1) == 0);
  const std::string file = scratch.write("canary.txt", in_file);
  // Inheritable, as careless libraries open them.
  const UniqueFd descriptor(::memfd_create("canary", 0));
  REQUIRE(::write(descriptor.get(), in_descriptor.data(), in_descriptor.size()) > 0);

  RuntimeOptions runtime_options;
  runtime_options.max_concurrent_calls = 8;
  World world(std::move(runtime_options));
  // Another tenant, with the same runtime at the same time.
  AISandboxOptions other;
  other.secrets = {{"TOKEN", in_secret}};
  other.environment = {{"MODE", in_grant}};
  other.filesystem = SandboxFilesystemGrant{{scratch.path()}, {}};
  other.resources.wall_clock_ms = 600'000;
  AISandbox neighbour(world.runtime, "export default () => { for (;;) {} };", other);
  auto neighbours_outcome = neighbour.call_async();
  const pid_t neighbours_child = test::wait_for_busy_child();
  REQUIRE(neighbours_child > 0);

  nlohmann::json texts = nlohmann::json::array();
  for (const std::string& text : all) texts.push_back(reversed(text));
  const nlohmann::json arguments{
      texts,
      {"CORDON_TEST_CANARY", "TOKEN", "MODE", "PATH", "HOME"},
      {file, "/proc/self/environ", "/proc/self/fd/" + std::to_string(descriptor.get()),
       "/proc/" + std::to_string(::getpid()) + "/mem",
       "/proc/" + std::to_string(::getpid()) + "/environ", "canary.txt", "/dev/fd/3"}};
  AISandboxOptions options;
  options.resources.wall_clock_ms = 120'000;
  const Outcome outcome = world.run(kSearch, options, arguments.dump());
  INFO((outcome.error ? outcome.error->message : ""));
  REQUIRE(outcome.status == Status::kOk);
  const auto report = outcome.result->view();
  CHECK(report["finds"].empty());
  CHECK(report["granted"].empty());
  CHECK(report["objects"] > 500);  // the search did search
  CHECK(report["texts"] > 1000);

  if (::geteuid() != 0) {
    WARN("skipped: only root may read the memory of undumpable processes");
  } else {
    std::size_t bytes = 0;
    std::size_t processes = 0;
    for (const pid_t pid : test::children()) {
      const auto found = holds(pid, all, bytes);
      if (!found) continue;
      ++processes;
      INFO("process " << pid);
      CHECK_FALSE(*found);
    }
    CHECK(processes >= 4);  // zygote, compiler, the neighbour's child, inits
    CHECK(bytes > std::size_t{10} << 20);
    // It does find what is there. A sanitizer's shadow memory would take for ever.
    std::size_t own = 0;
    if (!test::kSanitized) CHECK(holds(::getpid(), all, own) == true);
  }
  neighbour.terminate();
  const Outcome end = neighbours_outcome.get();
  CHECK(end.status == Status::kTerminated);
  for (const std::string& text : all) {
    CHECK(world.all_event_text().find(text) == std::string::npos);
    CHECK(end.error->message.find(text) == std::string::npos);
  }
  ::unsetenv("CORDON_TEST_CANARY");
}

// The kernel watches so many descriptors for a user and no more. Whichever is the one too many, the
// host stays up, says so, and works on.
//
// An executable of its own, since it puts its own epoll_ctl before the C library's.

#include <catch2/catch.hpp>

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <limits>
#include <string>
#include <string_view>

#include "capabilities/process/control_group.h"
#include "tests/system/own_process.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using namespace cordon::test;

namespace {

constexpr int kNever = std::numeric_limits<int>::max();
std::atomic<int> room = kNever;  // for so many more; the next is refused, once
std::atomic<int> refused = 0;

// What the event loop itself lives of; without these nothing would ever be called.
bool is_of_the_loop(int fd) {
  std::array<char, 64> target{};
  const ssize_t size =
      ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), target.data(), target.size());
  const std::string_view name(target.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  return name == "anon_inode:[eventfd]" || name == "anon_inode:[timerfd]";
}

}  // namespace

extern "C" int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
  if (operation == EPOLL_CTL_ADD && room != kNever && !is_of_the_loop(fd) && room-- == 0) {
    room = kNever;
    ++refused;
    errno = ENOSPC;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_epoll_ctl, epoll, operation, fd, event));
}

namespace {

constexpr std::string_view kRemedy = "fs.epoll.max_user_watches";

void require_nothing_left() {
  require(::waitpid(-1, nullptr, __WALL | WNOHANG) < 0 && errno == ECHILD, "a process is left");
  require(control_groups().empty(), "a control group is left");
}

// `attempt` gives its outcome's text when it failed. With the first, second, ... descriptor
// refused, until none is any more.
template <class Attempt>
void refuse_each(int at_least, Attempt attempt) {
  for (int before = 0;; ++before) {
    refused = 0;
    room = before;
    const std::string said = attempt();
    room = kNever;
    if (refused == 0) {
      require(said.empty(), "with room for all: " + said);
      require(before >= at_least, "only " + std::to_string(before) + " descriptors were watched");
      return;
    }
    require(said.empty() || said.find(kRemedy) != std::string::npos,
            "after " + std::to_string(before) + ": " + said);
  }
}

std::string failure_of(const Outcome& outcome) {
  return outcome.status == Status::kOk ? "" : describe(outcome);
}

}  // namespace

TEST_CASE("no room to watch at any step of a start: it says so, and leaves nothing") {
  CHECK(in_own_process([] {
          refuse_each(1, []() -> std::string {
            try {
              World world;
              return failure_of(world.run("enum A { x = 1 } export default () => A.x;"));
            } catch (const Unavailable& why) {
              return why.what();
            }
          });
          require_nothing_left();
        }) == kGood);
}

TEST_CASE("no room to watch at any step of a call: it says so, and the next one works") {
  CHECK(in_own_process([] {
          {
            World world(RuntimeOptions{.spare_children = 0});
            int sources = 0;
            refuse_each(2, [&] {
              // Another source each time, so that it has to be compiled.
              const Outcome outcome =
                  world.run("export default () => " + std::to_string(++sources) + ";");
              room = kNever;
              require_ok(world.run(kOne));
              return failure_of(outcome);
            });
          }
          require_nothing_left();
        }) == kGood);
}

TEST_CASE("no room to watch at any step of a command: it is refused, and the next one works") {
  check_or_skip(in_own_process([] {
                  {
                    World world(RuntimeOptions{.spare_children = 0});
                    AISandboxOptions options;
                    options.subprocess.emplace().commands = {"/bin/sh"};
                    constexpr const char* kEcho =
                        "import { spawn } from 'fino:ai/sandbox/capabilities';"
                        "export default async () =>"
                        "  (await spawn('/bin/sh', ['-c', 'echo x'])).stdout;";
                    if (world.run(kEcho, options).status != Status::kOk)
                      throw std::runtime_error(kSkip);
                    refuse_each(7, [&] {
                      const Outcome outcome = world.run(kEcho, options);
                      room = kNever;
                      require_ok(world.run(kEcho, options));
                      return failure_of(outcome);
                    });
                  }
                  require_nothing_left();
                }),
                "commands");
}

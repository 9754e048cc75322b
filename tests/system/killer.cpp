#include "tests/system/killer.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "messages/unique_fd.h"
#include "tests/system/processes.h"

namespace cordon::test {

namespace {

std::string name_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

// An engine that is still starting is not: a zygote that never may start would tell us nothing.
bool is_locked_down(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Seccomp:")) return line.ends_with('2');
  }
  return false;
}

// Only a child of `parent` (0: of this process), whatever has become of the number meanwhile. It is
// dead when this returns: on a busy machine that takes its time.
bool kill_child(pid_t pid, pid_t parent = 0) {
  constexpr int kPatienceMs = 20'000;
  const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd || !is_living_child(pid, parent)) return false;
  pollfd end{pidfd.get(), POLLIN, 0};
  return ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0) == 0 &&
         ::poll(&end, 1, kPatienceMs) == 1;
}

struct Processes {
  std::vector<pid_t> engines;  // the zygote is the oldest of them
  std::vector<pid_t> inits;
  std::vector<pid_t> compilers;
  std::vector<pid_t> bubblewraps;
};

Processes find_processes() {
  Processes found;
  for (const pid_t pid : children()) {
    if (!is_living_child(pid)) continue;
    const std::string name = name_of(pid);
    if (name == "cordon-engine" && is_locked_down(pid)) found.engines.push_back(pid);
    if (name == "cordon-init") found.inits.push_back(pid);
    if (name == "cordon-esbuild" || name == "cordon-transpil" || name == "5") {
      found.compilers.push_back(pid);
    }
    if (name == "bwrap") found.bubblewraps.push_back(pid);
  }
  std::sort(found.engines.begin(), found.engines.end());
  return found;
}

// Bubblewrap, or the first process of its sandbox.
bool kill_command(pid_t bubblewrap, bool first) {
  if (!first) return kill_child(bubblewrap);
  const auto started = children(bubblewrap);
  return !started.empty() && kill_child(started.front(), bubblewrap);
}

}  // namespace

Killer::Killer(std::chrono::milliseconds pause, std::uint32_t seed)
    : thread_([this, pause, seed] { run(pause, seed); }) {}

void Killer::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void Killer::run(std::chrono::milliseconds pause, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto any_of = [&random](const std::vector<pid_t>& pids) {
    return pids[random() % pids.size()];
  };
  while (!stopping_) {
    std::this_thread::sleep_for(pause);
    if (calls_ < 2 * (children_ + zygotes_ + compilers_ + inits_ + commands_)) continue;
    Processes found = find_processes();
    const auto choice = random() % 40;
    const bool serving = found.engines.size() > 1;
    if (choice == 0 && serving) {
      inits_ += kill_child(any_of(found.inits)) ? 1 : 0;
    } else if (choice <= 2 && serving) {
      zygotes_ += kill_child(found.engines.front()) ? 1 : 0;
    } else if (choice <= 5 && !found.compilers.empty()) {
      compilers_ += kill_child(any_of(found.compilers)) ? 1 : 0;
    } else if (choice <= 12 && !found.bubblewraps.empty()) {
      commands_ += kill_command(any_of(found.bubblewraps), choice % 2 == 0) ? 1 : 0;
    } else if (serving) {
      found.engines.erase(found.engines.begin());
      children_ += kill_child(any_of(found.engines)) ? 1 : 0;
    }
  }
}

pid_t zygote() {
  const auto engines = find_processes().engines;
  return engines.empty() ? -1 : engines.front();
}

bool kill_compilers() {
  bool any = false;
  for (const pid_t pid : find_processes().compilers) any = kill_child(pid) || any;
  return any;
}

bool kill_spares(std::size_t count) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::seconds(20);
  std::vector<pid_t> spares;
  while (spares.size() != count) {
    if (Clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    spares = find_processes().engines;
    if (!spares.empty()) spares.erase(spares.begin());
  }
  for (const pid_t pid : spares) {
    if (!kill_child(pid)) return false;
  }
  return true;
}

}  // namespace cordon::test

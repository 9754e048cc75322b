#include "benchmarks/load/footprint.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <utility>

#include "benchmarks/load/processes.h"

namespace cordon::load {
namespace {

std::uint64_t entries(const char* directory) {
  const std::filesystem::directory_iterator all(directory);
  return static_cast<std::uint64_t>(std::distance(begin(all), end(all)));
}

constexpr std::uint64_t kSlackKib = 4096;  // of growth, at any size

void sleep(const std::stop_token& stop, std::chrono::steady_clock::time_point until) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_until(lock, stop, until, [] { return false; });
}

}  // namespace

Footprint take_footprint(const std::vector<pid_t>& services) {
  std::uint64_t service_kib = 0;
  for (const pid_t pid : services) service_kib += resident_kib(pid);
  return {.host_kib = resident_kib(::getpid()),
          .service_kib = service_kib,
          .descriptors = entries("/proc/self/fd") - 1,  // the one that reads the directory
          .threads = entries("/proc/self/task"),
          .processes = descendants().size()};
}

FootprintWatch::FootprintWatch(std::vector<pid_t> services, std::chrono::milliseconds duration)
    : services_(std::move(services)) {
  looks_.push_back(look());
  watcher_ = std::jthread([this, duration](const std::stop_token& stop) {
    for (const int quarter : {1, 2, 3}) {
      sleep(stop, start_ + duration * quarter / 4);
      if (stop.stop_requested()) return;
      looks_.push_back(look());
    }
  });
}

std::vector<Footprint> FootprintWatch::finish() {
  constexpr auto kPatience = std::chrono::seconds(1);
  constexpr auto kBetweenLooks = std::chrono::milliseconds(10);
  watcher_ = {};  // stopped and waited for
  const Footprint& first = looks_.front();
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  Footprint last = look();
  while ((last.descriptors > first.descriptors || last.threads > first.threads ||
          last.processes > first.processes) &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kBetweenLooks);
    last = look();
  }
  looks_.push_back(last);
  return std::move(looks_);
}

Footprint FootprintWatch::look() const {
  Footprint now = take_footprint(services_);
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return now;
}

std::string growth(const std::vector<Footprint>& looks) {
  const Footprint& first = looks.front();
  const Footprint& warm = looks.size() > 2 ? looks[1] : looks.front();
  const Footprint& last = looks.back();
  const auto grown = [](std::uint64_t from, std::uint64_t to) {
    return to > from + std::max(from / 20, kSlackKib);
  };
  const auto change = [](const char* what, std::uint64_t from, std::uint64_t to) {
    return std::string(what) + " grew from " + std::to_string(from) + " to " + std::to_string(to);
  };
  if (grown(warm.host_kib, last.host_kib)) {
    return change("KiB of this process", warm.host_kib, last.host_kib);
  }
  if (grown(warm.service_kib, last.service_kib)) {
    return change("KiB of the engine", warm.service_kib, last.service_kib);
  }
  if (last.descriptors > first.descriptors) {
    return change("descriptors", first.descriptors, last.descriptors);
  }
  if (last.threads > first.threads) return change("threads", first.threads, last.threads);
  if (last.processes > first.processes) {
    return change("processes", first.processes, last.processes);
  }
  return {};
}

}  // namespace cordon::load

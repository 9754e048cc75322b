#include "cli/batch/concurrency.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace cordon::batch {
namespace {

// More waits for nothing but memory.
constexpr std::size_t kMostPerCpu = 8;
constexpr auto kInterval = std::chrono::milliseconds(500);
constexpr double kIdle = 0.6;
constexpr double kBusy = 0.9;
// Of a child beyond its program's own memory.
constexpr std::uint64_t kChildOverhead = std::uint64_t{16} << 20;

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<double> number_in(const std::string& path) {
  std::istringstream text(first_line(path));
  double number = 0;
  if (!(text >> number)) return std::nullopt;
  return number;
}

// This process's cgroups, as directories under /sys/fs/cgroup: that of the unified hierarchy, and
// that of a version 1 `controller`.
std::string cgroup_directory(const std::string& controller) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string list = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controller.empty() && list == ",,") return "/sys/fs/cgroup" + path;
    if (!controller.empty() && list.find("," + controller + ",") != std::string::npos) {
      return "/sys/fs/cgroup/" + controller + path;
    }
  }
  return {};
}

double affinity_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(CPU_COUNT(&set), 1);
}

double quota_cpus() {
  double least = std::numeric_limits<double>::infinity();
  std::istringstream unified(first_line(cgroup_directory("") + "/cpu.max"));
  double quota = 0;
  double period = 0;
  if (unified >> quota >> period && period > 0) least = quota / period;
  const std::string v1 = cgroup_directory("cpu");
  const auto v1_quota = number_in(v1 + "/cpu.cfs_quota_us");
  const auto v1_period = number_in(v1 + "/cpu.cfs_period_us");
  if (v1_quota.value_or(-1) > 0 && v1_period.value_or(0) > 0) {
    least = std::min(least, *v1_quota / *v1_period);
  }
  return least;
}

double system_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name;) {
    double kib = 0;
    if (name == "MemAvailable:" && file >> kib) return kib * 1024;
    std::getline(file, name);
  }
  return 0;
}

double cgroup_memory() {
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&least](const std::string& limit_file, const std::string& usage_file) {
    const auto limit = number_in(limit_file);
    const auto usage = number_in(usage_file);
    if (limit && usage) least = std::min(least, std::max(*limit - *usage, 0.0));
  };
  const std::string unified = cgroup_directory("");
  consider(unified + "/memory.max", unified + "/memory.current");
  const std::string v1 = cgroup_directory("memory");
  consider(v1 + "/memory.limit_in_bytes", v1 + "/memory.usage_in_bytes");
  return least;
}

std::size_t fitting(std::uint64_t memory, std::uint64_t job_memory_bytes) {
  return std::max<std::size_t>(memory / (job_memory_bytes + kChildOverhead), 1);
}

}  // namespace

Machine Machine::now() {
  const double memory = std::min(system_memory(), cgroup_memory());
  return {.cpus = std::max(std::min(affinity_cpus(), quota_cpus()), 0.1),
          .available_memory = static_cast<std::uint64_t>(memory)};
}

Concurrency Concurrency::fixed(std::size_t count) {
  Concurrency result;
  result.base_ = result.limit_ = result.most_ = count;
  return result;
}

Concurrency Concurrency::automatic(const Machine& machine, std::uint64_t job_memory_bytes) {
  Concurrency result;
  result.automatic_ = true;
  result.job_memory_bytes_ = job_memory_bytes;
  const auto cpus = static_cast<std::size_t>(std::ceil(machine.cpus));
  // One more than CPUs, so that there is always one to run while another starts or ends.
  result.base_ = std::min(cpus + 1, fitting(machine.available_memory, job_memory_bytes));
  result.most_ = std::max(kMostPerCpu * cpus, result.base_);
  result.limit_ = result.base_;
  return result;
}

void Concurrency::adapt(Clock::time_point now, std::size_t running, bool full) {
  if (!automatic_ || now - since_ < kInterval) return;
  adapt(now, running, full, Machine::now());
}

void Concurrency::adapt(Clock::time_point now, std::size_t running, bool full,
                        const Machine& machine) {
  const double elapsed_ms = std::chrono::duration<double, std::milli>(now - since_).count();
  const double busy = cpu_ms_ / std::max(elapsed_ms * machine.cpus, 1.0);
  since_ = now;
  cpu_ms_ = 0;
  if (full && busy < kIdle && limit_ < most_) ++limit_;
  if (busy > kBusy && limit_ > base_) --limit_;
  // What runs has its memory already, or may still ask for it: only what is free counts.
  const std::size_t room = fitting(machine.available_memory, job_memory_bytes_);
  limit_ = std::clamp<std::size_t>(limit_, 1, std::max<std::size_t>(running + room - 1, 1));
}

}  // namespace cordon::batch

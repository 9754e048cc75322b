#include "benchmarks/load/machine.h"

#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>

#include "benchmarks/load/processes.h"

namespace cordon::load {
namespace {

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%FT%TZ", &utc)};
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto value = line.find(": ");
    if (value != std::string::npos) return line.substr(value + 2);
  }
  return "unknown";
}

std::string kernel_release() {
  utsname names{};
  return ::uname(&names) == 0 ? names.release : "unknown";
}

}  // namespace

std::vector<int> usable_cpu_numbers() {
  cpu_set_t set;
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

unsigned usable_cpus() { return std::max(1U, static_cast<unsigned>(usable_cpu_numbers().size())); }

Machine this_machine() {
  return {.date = now_text(),
          .cordon = CORDON_VERSION,
          .cpu = cpu_model(),
          .cpus = usable_cpus(),
          .kernel = kernel_release(),
          .load_before = load_average()};
}

}  // namespace cordon::load

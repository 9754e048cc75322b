#include "benchmarks/load/machine.h"

#include <sched.h>
#include <sys/utsname.h>

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

unsigned usable_cpus() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

Machine this_machine() {
  return {.date = now_text(),
          .cordon = CORDON_VERSION,
          .cpu = cpu_model(),
          .cpus = usable_cpus(),
          .kernel = kernel_release(),
          .load_before = load_average()};
}

}  // namespace cordon::load

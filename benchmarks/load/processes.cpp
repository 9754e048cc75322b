#include "benchmarks/load/processes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "messages/unique_fd.h"

namespace cordon::load {
namespace {

struct Process {
  pid_t parent = 0;
  double cpu_ms = 0;  // its own
};

std::optional<Process> read_process(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  Process process;
  fields >> skipped >> process.parent;
  for (int i = 0; i < 9; ++i) fields >> skipped;
  long user = 0;
  long system = 0;
  fields >> user >> system;
  process.cpu_ms =
      static_cast<double>(user + system) * 1000 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return process;
}

std::map<pid_t, Process> all_processes() {
  std::map<pid_t, Process> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const pid_t pid = std::stoi(name);
    if (const auto process = read_process(pid)) all.emplace(pid, *process);
  }
  return all;
}

bool descends_from(pid_t pid, pid_t ancestor, const std::map<pid_t, Process>& all) {
  // Bounded: the table is no snapshot, so that a number used twice could make a circle.
  for (std::size_t steps = 0; steps < all.size(); ++steps) {
    const auto found = all.find(pid);
    if (found == all.end()) return false;
    pid = found->second.parent;
    if (pid == ancestor) return true;
  }
  return false;
}

double to_ms(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

double cpu_ms(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return to_ms(usage.ru_utime) + to_ms(usage.ru_stime);
}

}  // namespace

std::vector<pid_t> descendants() {
  const auto all = all_processes();
  std::vector<pid_t> found;
  for (const auto& [pid, process] : all) {
    if (descends_from(pid, ::getpid(), all)) found.push_back(pid);
  }
  return found;
}

std::optional<std::uint64_t> pss_kib(const std::vector<pid_t>& pids) {
  std::uint64_t sum = 0;
  for (const pid_t pid : pids) {
    const std::string name = "/proc/" + std::to_string(pid) + "/smaps_rollup";
    const UniqueFd file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file && (errno == EACCES || errno == EPERM)) return std::nullopt;
    std::array<char, 4096> text{};
    const ssize_t size = ::read(file.get(), text.data(), text.size());
    std::istringstream fields(
        std::string(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))));
    std::string key;
    while (fields >> key && key != "Pss:") {
    }
    if (std::uint64_t value = 0; fields >> value) sum += value;
  }
  return sum;
}

std::uint64_t resident_kib(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

double own_cpu_ms() { return cpu_ms(RUSAGE_SELF); }

double descendants_cpu_ms() {
  const auto all = all_processes();
  double sum = cpu_ms(RUSAGE_CHILDREN);
  for (const auto& [pid, process] : all) {
    if (descends_from(pid, ::getpid(), all)) sum += process.cpu_ms;
  }
  return sum;
}

double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

}  // namespace cordon::load

#include "tests/cases/runner/process_table.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cordon::cases {

namespace {

bool contains(const std::vector<pid_t>& pids, pid_t pid) {
  return std::find(pids.begin(), pids.end(), pid) != pids.end();
}

std::vector<ProcessEntry> all_processes() {
  std::vector<ProcessEntry> all;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string pid = entry.path().filename();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t open = line.find('('), close = line.rfind(')');
    if (open == std::string::npos || close == std::string::npos) continue;
    ProcessEntry process{.pid = std::stoi(pid), .name = line.substr(open + 1, close - open - 1)};
    std::istringstream(line.substr(close + 1)) >> process.state >> process.parent;
    all.push_back(std::move(process));
  }
  return all;
}

}  // namespace

void become_subreaper() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) throw std::runtime_error("prctl");
}

std::vector<ProcessEntry> descendants(const std::vector<pid_t>& excluded) {
  std::vector<ProcessEntry> rest = all_processes(), found;
  std::set<pid_t> parents = {::getpid()};
  for (bool more = true; more;) {
    more = false;
    std::erase_if(rest, [&](const ProcessEntry& process) {
      if (!parents.contains(process.parent)) return false;
      if (!contains(excluded, process.pid)) {
        parents.insert(process.pid);
        found.push_back(process);
      }
      return more = true;
    });
  }
  return found;
}

void reap_orphans(const std::vector<pid_t>& kept) {
  for (const ProcessEntry& process : descendants({})) {
    if (process.parent == ::getpid() && !contains(kept, process.pid))
      ::waitpid(process.pid, nullptr, WNOHANG | __WALL);
  }
}

std::map<std::string, int> count_by_name(const std::vector<ProcessEntry>& processes) {
  std::map<std::string, int> counts;
  for (const ProcessEntry& process : processes) ++counts[process.name];
  return counts;
}

void kill_descendants(const std::vector<pid_t>& excluded) {
  for (int round = 0; round < 200; ++round) {
    const auto left = descendants(excluded);
    if (left.empty()) return;
    for (const ProcessEntry& process : left) ::kill(process.pid, SIGKILL);
    reap_orphans(excluded);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

ProcessWatch::ProcessWatch(const std::vector<ProcessEntry>& before) {
  for (const ProcessEntry& process : before) before_.insert(process.pid);
  thread_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      look();
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
    }
  });
}

void ProcessWatch::stop() {
  thread_.request_stop();
  thread_.join();
}

void ProcessWatch::look() {
  std::size_t count = 0;
  for (const ProcessEntry& process : descendants({})) {
    if (before_.contains(process.pid)) continue;
    ++count;
    most_child_mib_ = std::max(most_child_mib_, memory_mib(process.pid, "VmHWM"));
  }
  most_processes_ = std::max(most_processes_, count);
}

double memory_mib(pid_t pid, const std::string& field) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(field + ":")) return std::stod(line.substr(field.size() + 1)) / 1024;
  }
  return 0;
}

}  // namespace cordon::cases

#pragma once
// The process that hosts Cordon for one run of a case: started as the fixtures say, and judged from
// outside, so that a crash of it is a failure like any other.

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "messages/unique_fd.h"
#include "tests/cases/runner/json_channel.h"

namespace cordon::cases {

struct ParentSetup {
  std::filesystem::path executable;
  std::map<std::string, std::string> environment = {};  // added to the runner's
  std::optional<std::filesystem::path> working_directory = {};
  std::optional<std::string> input = {};  // standard input; none: empty
  std::optional<std::string> typed = {};  // standard input is a terminal
  std::vector<std::pair<int, std::filesystem::path>> descriptors = {};  // open for reading
};

class ParentProcess {
 public:
  explicit ParentProcess(const ParentSetup& setup);
  ~ParentProcess();  // kills it if it still runs
  ParentProcess(const ParentProcess&) = delete;
  ParentProcess& operator=(const ParentProcess&) = delete;

  pid_t pid() const noexcept { return pid_; }
  JsonChannel& channel() noexcept { return *channel_; }
  bool alive() const;
  // How it ended, "exit code 0" or "signal 11 (…)"; "did not end" when the time is up, and it is
  // killed.
  std::string wait(std::chrono::milliseconds timeout);
  // All it has written to standard error.
  std::string error_text() const;

 private:
  pid_t pid_ = -1;
  UniqueFd errors_, terminal_;
  std::optional<JsonChannel> channel_;
};

}  // namespace cordon::cases

#pragma once
// All that is known about one run of a case once it is over, for the checks to look at.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/cases/runner/files.h"
#include "tests/cases/runner/parent_process.h"
#include "tests/cases/runner/placeholders.h"
#include "tests/cases/runner/process_table.h"
#include "tests/cases/runner/recorded_server.h"
#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

// What failed, a line each; empty when all is well.
using Problems = std::vector<std::string>;

// The processes and servers of a run, and what the parent said.
struct JudgedRun {
  const Root& root;
  ParentProcess& parent;
  RecordedServer* server = nullptr;  // none: no such fixture
  RecordedServer* server2 = nullptr;
  ListeningSockets& sockets;
  pid_t canary = -1;
  std::map<std::string, int> processes_before = {};  // those of the runtime
  double time_scale = 1;
  std::size_t most_processes = 0;  // while it ran, but the parent
  double most_child_mib = 0;       // resident set of one of them
  Json outcome = {};               // as Host::run() gives it
  std::vector<Json> events = {};   // parsed audit events
  std::vector<std::string> event_lines = {};
  std::vector<std::string> lookups = {};

  bool ok() const { return outcome.value("ok", false); }
  // Their own pids, which are no part of the case.
  std::vector<pid_t> helpers() const {
    return canary > 0 ? std::vector{canary} : std::vector<pid_t>{};
  }
};

}  // namespace cordon::cases

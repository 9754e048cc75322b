#pragma once
// Which walls stood around a call's commands, and what each is made of.

#include <string>
#include <vector>

namespace cordon {

struct SubprocessReport {
  struct Wall {
    std::string name;       // "memory", "processes", "network", ...
    std::string mechanism;  // for people: "cgroup v1: 536870912 bytes over the process tree"
  };
  std::vector<Wall> walls;    // in force
  std::vector<Wall> missing;  // asked for and left out (bestEffort); `mechanism` says why
};

}  // namespace cordon

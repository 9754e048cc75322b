#include "engine/oom_score.h"

#include <algorithm>
#include <fstream>

namespace cordon::engine {

// Raising it takes no privilege; what the host has been given is the least.
void go_before_the_host() noexcept {
  constexpr int kHalfOfAllMemory = 500;
  constexpr int kMost = 1000;
  constexpr const char* kFile = "/proc/self/oom_score_adj";
  int score = 0;
  if (std::ifstream(kFile) >> score) {
    std::ofstream(kFile) << std::min(kMost, score + kHalfOfAllMemory);
  }
}

}  // namespace cordon::engine

#pragma once
// What holds for every run of a batch, besides grants and limits.

#include <chrono>
#include <cstdint>
#include <optional>

namespace cordon::batch {

struct RunSettings {
  std::uint64_t retries = 0;  // of a job that ended as kSandboxError
  bool assert_module = false;
  std::optional<std::uint64_t> seed;
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> clock;
};

}  // namespace cordon::batch

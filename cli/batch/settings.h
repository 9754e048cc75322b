#pragma once
// What the flags of `cordon batch` come to, besides grants and limits.

#include <cstdint>
#include <optional>
#include <string>

#include "cli/batch/concurrency.h"
#include "cli/batch/job_feed.h"
#include "cli/batch/run_settings.h"
#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon::batch {

// As typed.
struct TypedSettings {
  std::string parallel = "auto";
  std::optional<std::string> shard, retry, seed, clock, fail_under;
};

struct BatchSettings {
  RunSettings run;
  Concurrency concurrency = Concurrency::fixed(1);
  Shard shard;
  std::optional<double> fail_under;  // percent
};

// `job_memory_bytes` is what one program may take. Every error names the flag.
Result<BatchSettings, UsageError> read_settings(const TypedSettings& typed,
                                                std::uint64_t job_memory_bytes);

}  // namespace cordon::batch

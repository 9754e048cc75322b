#include "cli/limit_flags.h"

#include <cstdint>

#include "cli/units.h"

namespace cordon {
namespace {

using Parse = Result<std::uint64_t, UsageError> (*)(std::string_view);

struct LimitFlag {
  const char* flag;
  const char* type;
  const char* help;
  Parse parse;
  void (*set)(SandboxResourceGrant&, std::uint64_t);
};

template <auto Member>
void set(SandboxResourceGrant& resources, std::uint64_t value) {
  resources.*Member = value;
}

using Grant = SandboxResourceGrant;

constexpr LimitFlag kLimits[] = {
    {"--timeout", "TIME", "Wall clock of the run, compiling included [30s]", parse_duration,
     set<&Grant::wall_clock_ms>},
    {"--cpu-time", "TIME", "CPU time of the run [bounded by --timeout]", parse_duration,
     set<&Grant::max_cpu_ms>},
    {"--memory", "SIZE", "Memory of the run [256M]", parse_size, set<&Grant::max_memory_bytes>},
    {"--max-ops", "COUNT", "Capability calls in all [100]", parse_count,
     set<&Grant::max_operations>},
    {"--max-concurrent-ops", "COUNT", "Capability calls at one time; more wait [32]", parse_count,
     set<&Grant::max_concurrent_operations>},
    {"--max-read-bytes", "BYTES", "Bytes of one readText [1M]", parse_bytes,
     set<&Grant::max_read_bytes>},
    {"--max-write-bytes", "BYTES", "Bytes of one writeText [1M]", parse_bytes,
     set<&Grant::max_write_bytes>},
    {"--max-network-bytes", "BYTES", "Bytes of one fetchText, request and response body each [1M]",
     parse_bytes, set<&Grant::max_network_bytes>},
    {"--max-output-bytes", "BYTES", "Bytes that one spawned command may print [1M]", parse_bytes,
     set<&Grant::max_process_output_bytes>},
    {"--max-console-bytes", "BYTES", "Console text that is kept; the rest is cut [64K]",
     parse_bytes, set<&Grant::max_console_bytes>},
    {"--max-result-bytes", "BYTES", "Bytes of the result's JSON text [16M]", parse_bytes,
     set<&Grant::max_result_bytes>},
    {"--max-source-bytes", "BYTES", "Bytes of FILE and of each module [4M]", parse_bytes,
     set<&Grant::max_source_bytes>},
};

}  // namespace

LimitFlags::LimitFlags(CLI::App& command) {
  static_assert(std::size(kLimits) == kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    command.add_option(kLimits[i].flag, values_[i], kLimits[i].help)
        ->type_name(kLimits[i].type)
        ->group("Limits");
  }
}

Result<SandboxResourceGrant, UsageError> LimitFlags::resources(SandboxResourceGrant base) const {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!values_[i]) continue;
    const auto value = kLimits[i].parse(*values_[i]);
    if (!value) {
      return UsageError{kLimits[i].flag, "=", *values_[i], ": ", value.error().message};
    }
    kLimits[i].set(base, *value);
  }
  return base;
}

}  // namespace cordon

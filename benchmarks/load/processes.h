#pragma once
// What this process and its descendants use, as the kernel counts it.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace cordon::load {

// Children of this process, living or not reaped yet, and theirs.
std::vector<pid_t> descendants();

// The processes' proportional shares of memory in KiB: pages shared by n processes count 1/n each.
// Nothing when this user may not read one of them: locked-down processes are closed to all but
// root. A process that is gone has 0.
std::optional<std::uint64_t> pss_kib(const std::vector<pid_t>& pids);

// The process's resident set in KiB, shared pages included: unlike its share, it does not depend on
// how many processes there are. 0 for a process that is gone.
std::uint64_t resident_kib(pid_t pid);

// User and system time in milliseconds since the start, all threads.
double own_cpu_ms();
// The same over all descendants, those included that have ended and were reaped by this process.
// The kernel tells the living ones' in ticks of about 10 ms.
double descendants_cpu_ms();

// Of the whole machine, averaged over the last minute: processes that want to run.
double load_average();

}  // namespace cordon::load

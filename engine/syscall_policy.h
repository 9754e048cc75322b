#pragma once
// Which system calls a locked-down process may make: plain data, tested without a kernel.
//
// A call is decided by the first rule whose number and argument tests match, else by the policy's
// `otherwise`. Rules are for x86-64; calls by another architecture's or the x32 table always kill.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace cordon::engine {

enum class SyscallAction : std::uint8_t {
  kAllow,
  kRefuse,  // fails with EACCES
  kKill,    // SIGSYS for the whole process
};

// (argument & mask) == value, over all 64 bits.
struct ArgumentTest {
  std::uint8_t index = 0;
  std::uint64_t mask = ~std::uint64_t{0};
  std::uint64_t value = 0;
};

struct SyscallRule {
  int number = -1;
  SyscallAction action = SyscallAction::kKill;
  std::vector<ArgumentTest> tests = {};  // all must hold
};

struct SyscallPolicy {
  std::vector<SyscallRule> rules;
  SyscallAction otherwise = SyscallAction::kKill;
};

// The flags by which the zygote makes a child, exactly.
inline constexpr std::uint64_t kForkFlags = 0x0000'8000 | 0x0000'1000;  // CLONE_PARENT, CLONE_PIDFD

// The zygote, and with it every child. Without a JIT no memory can become executable at all.
SyscallPolicy zygote_policy(bool jit);

// What a child gives up on top, before it reads its job: making processes, passing descriptors,
// changing limits and filters.
SyscallPolicy child_policy();

// The init of a namespace: waits, then ends.
SyscallPolicy init_policy();

// The compiler service, a static Go program, from just before its execution on. `executable` is
// the descriptor that may be executed, `pid` the only process that may be signalled: itself.
SyscallPolicy compiler_policy(int executable, pid_t pid);

}  // namespace cordon::engine

#include "engine/seccomp_filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>

namespace cordon::engine {

namespace {

constexpr std::uint32_t kX32Bit = 0x4000'0000;
constexpr std::size_t kMaxJump = 255;  // classic BPF counts conditional jumps in one byte

// Code and operand words as the kernel's header spells them.
sock_filter statement(unsigned code, std::size_t operand) {
  return {static_cast<std::uint16_t>(code), 0, 0, static_cast<std::uint32_t>(operand)};
}

sock_filter jump(unsigned condition, std::uint32_t operand, std::size_t if_true,
                 std::size_t if_false) {
  return {static_cast<std::uint16_t>(BPF_JMP | BPF_K | condition),
          static_cast<std::uint8_t>(if_true), static_cast<std::uint8_t>(if_false), operand};
}

sock_filter load(std::size_t offset) { return statement(BPF_LD | BPF_W | BPF_ABS, offset); }

sock_filter end(SyscallAction action) {
  switch (action) {
    case SyscallAction::kAllow:
      return statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    case SyscallAction::kRefuse:
      return statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
    case SyscallAction::kKill:
      break;
  }
  return statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
}

void add_preamble(SeccompFilter& filter) {
  filter.push_back(load(offsetof(seccomp_data, arch)));
  filter.push_back(jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0));
  filter.push_back(end(SyscallAction::kKill));
  filter.push_back(load(offsetof(seccomp_data, nr)));
  filter.push_back(jump(BPF_JGE, kX32Bit, 0, 1));
  filter.push_back(end(SyscallAction::kKill));
}

// One 32-bit half of an argument test: load, mask, compare; three instructions, of which the
// comparison jumps over `to_mismatch` when it fails.
void add_half(SeccompFilter& filter, std::size_t offset, std::uint64_t mask, std::uint64_t value,
              std::size_t to_mismatch) {
  filter.push_back(load(offset));
  filter.push_back(statement(BPF_ALU | BPF_AND | BPF_K, mask & 0xffff'ffff));
  filter.push_back(jump(BPF_JEQ, static_cast<std::uint32_t>(value), 0, to_mismatch));
}

// A rule with tests; leaves the call's number in the accumulator when it does not match.
void add_tested_rule(SeccompFilter& filter, const SyscallRule& rule) {
  constexpr std::size_t kTestLength = 6;
  const std::size_t body = rule.tests.size() * kTestLength + 1;  // the tests and the verdict
  filter.push_back(jump(BPF_JEQ, static_cast<std::uint32_t>(rule.number), 0, body + 1));
  std::size_t left = body;
  for (const ArgumentTest& test : rule.tests) {
    const std::size_t offset = offsetof(seccomp_data, args) + sizeof(std::uint64_t) * test.index;
    add_half(filter, offset, test.mask, test.value, left - 3);
    add_half(filter, offset + 4, test.mask >> 32, test.value >> 32, left - 6);
    left -= kTestLength;
  }
  filter.push_back(end(rule.action));
  filter.push_back(load(offsetof(seccomp_data, nr)));
}

// A run of plain rules with one verdict shares its return.
void add_plain_rules(SeccompFilter& filter, std::span<const SyscallRule> rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::size_t after = rules.size() - 1 - i;
    filter.push_back(
        jump(BPF_JEQ, static_cast<std::uint32_t>(rules[i].number), after, after == 0 ? 1 : 0));
  }
  filter.push_back(end(rules.front().action));
}

}  // namespace

SeccompFilter assemble(const SyscallPolicy& policy) {
  SeccompFilter filter;
  add_preamble(filter);
  const std::span<const SyscallRule> rules = policy.rules;
  for (std::size_t i = 0; i < rules.size();) {
    if (!rules[i].tests.empty()) {
      add_tested_rule(filter, rules[i++]);
      continue;
    }
    std::size_t count = 1;
    while (i + count < rules.size() && count < kMaxJump && rules[i + count].tests.empty() &&
           rules[i + count].action == rules[i].action) {
      ++count;
    }
    add_plain_rules(filter, rules.subspan(i, count));
    i += count;
  }
  filter.push_back(end(policy.otherwise));
  return filter;
}

bool install(const SeccompFilter& filter) noexcept {
  sock_fprog program{static_cast<unsigned short>(filter.size()),
                     const_cast<sock_filter*>(filter.data())};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

}  // namespace cordon::engine

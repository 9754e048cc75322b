#include "engine/crash_report.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <new>
#include <string_view>

#include "messages/exit_codes.h"

namespace cordon::engine {

namespace {

constexpr std::size_t kMaxReason = 1024;

// A signal handler has no other way to its data.
const char* const* g_crash_reason = nullptr;
alignas(16) std::array<char, 64 << 10> g_handler_stack;

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_letter(char c) noexcept { return lower(c) >= 'a' && lower(c) <= 'z'; }

bool starts_with_ignoring_case(const char* text, std::string_view word) noexcept {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (lower(text[i]) != word[i]) return false;  // also at the end of `text`
  }
  return true;
}

// The default action is restored on entry (SA_RESETHAND): returning repeats the faulting
// instruction and ends the process by the true signal, as does a fault in here. A signal that
// another process sent would not come again, and no system call may send one: fault instead.
void on_crash(int, siginfo_t* info, void*) {
  if (g_crash_reason != nullptr && says_out_of_memory(*g_crash_reason)) ::_exit(kExitOutOfMemory);
  if (info->si_code <= 0) *static_cast<volatile char*>(nullptr) = 0;
}

void on_failed_new() { ::_exit(kExitOutOfMemory); }

}  // namespace

bool says_out_of_memory(const char* reason) noexcept {
  if (reason == nullptr) return false;
  for (std::size_t i = 0; i < kMaxReason && reason[i] != '\0'; ++i) {
    if (i > 0 && is_letter(reason[i - 1])) continue;  // "room" is not about memory
    if (starts_with_ignoring_case(reason + i, "oom")) return true;
    if (starts_with_ignoring_case(reason + i, "out of memory")) return true;
  }
  return false;
}

Started install_crash_report(const char* const* crash_reason) {
  g_crash_reason = crash_reason;
  stack_t stack{};
  stack.ss_sp = g_handler_stack.data();
  stack.ss_size = g_handler_stack.size();
  if (::sigaltstack(&stack, nullptr) != 0)
    return system_failure("engine", "sigaltstack failed", kSystemCallRemedy);
  struct sigaction action {};
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT}) {
    if (::sigaction(signal, &action, nullptr) != 0) {
      return system_failure("engine", "sigaction failed", kSystemCallRemedy);
    }
  }
  std::set_new_handler(on_failed_new);
  return {};
}

}  // namespace cordon::engine

#include "engine/transpiler/wasm_runtime.h"

#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <sys/time.h>

unsigned char transpiler_dirty[(UINT64_C(1) << (33 - TRANSPILER_PAGE_SHIFT)) + 1];

namespace cordon::transpiler {
namespace {

constexpr std::size_t kWasmPage = std::size_t{64} << 10;
constexpr std::size_t kPage = std::size_t{1} << TRANSPILER_PAGE_SHIFT;
// Whatever an instruction's two 32-bit numbers add up to lies in here, mapped or not.
constexpr std::size_t kReservedBytes = (std::size_t{8} << 30) + kWasmPage;
constexpr std::uint32_t kMaxPages = 2048;  // 128 MiB
constexpr std::size_t kLongestStore = 8;

// The clock ticks all the time, so that arming it costs a run nothing.
constexpr suseconds_t kTickMicroseconds = 10'000;
constexpr int kTicksOfARun = 5;  // 40 to 50 ms of CPU

constexpr std::size_t kSignalStackBytes = std::size_t{64} << 10;
alignas(16) unsigned char signal_stack[kSignalStackBytes];

// A signal handler forces these to be globals.
sigjmp_buf escape;
volatile std::sig_atomic_t is_running = 0;
volatile std::sig_atomic_t ticks = 0;

unsigned char* saved = nullptr;
std::size_t saved_bytes = 0;
std::uint32_t saved_pages = 0;

[[noreturn]] void abandon(Trap why) {
  // Nothing would stand where it can be put back.
  if (is_running == 0) std::_Exit(EXIT_FAILURE);
  is_running = 0;
  siglongjmp(escape, static_cast<int>(why));
}

void on_fault(int) { abandon(Trap::kFault); }

void on_tick(int) {
  if (is_running == 0) return;
  ticks = ticks + 1;
  if (ticks >= kTicksOfARun) abandon(Trap::kTime);
}

bool handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // Not blocked while they run: a handler that jumps away does not return to unblock them.
  action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
  return ::sigaction(signal, &action, nullptr) == 0;
}

}  // namespace

bool start_runtime() {
  stack_t stack{};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  const itimerval clock{{0, kTickMicroseconds}, {0, kTickMicroseconds}};
  return ::sigaltstack(&stack, nullptr) == 0 && handle(SIGSEGV, on_fault) &&
         handle(SIGBUS, on_fault) && handle(SIGVTALRM, on_tick) &&
         ::setitimer(ITIMER_VIRTUAL, &clock, nullptr) == 0;
}

Trap run_guarded(void (*body)(void*), void* context) {
  const int why = sigsetjmp(escape, 0);
  if (why != 0) return static_cast<Trap>(why);
  ticks = 0;
  is_running = 1;
  body(context);
  is_running = 0;
  return Trap::kNone;
}

bool save_memory(const wasm_rt_memory_t& memory) {
  void* const copy =
      ::mmap(nullptr, memory.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return false;
  saved = static_cast<unsigned char*>(copy);
  saved_bytes = memory.size;
  saved_pages = memory.pages;
  std::memcpy(saved, memory.data, saved_bytes);
  std::memset(transpiler_dirty, 0, saved_bytes >> TRANSPILER_PAGE_SHIFT);
  return true;
}

void restore_memory(wasm_rt_memory_t& memory) {
  if (memory.size > saved_bytes) {
    // What has grown becomes untouched and out of reach again.
    unsigned char* const grown = memory.data + saved_bytes;
    const std::size_t size = memory.size - saved_bytes;
    if (::madvise(grown, size, MADV_DONTNEED) != 0 || ::mprotect(grown, size, PROT_NONE) != 0) {
      std::_Exit(EXIT_FAILURE);
    }
    std::memset(transpiler_dirty + (saved_bytes >> TRANSPILER_PAGE_SHIFT), 0,
                size >> TRANSPILER_PAGE_SHIFT);
    memory.size = static_cast<std::uint32_t>(saved_bytes);
    memory.pages = saved_pages;
  }
  const std::size_t pages = saved_bytes >> TRANSPILER_PAGE_SHIFT;
  for (std::size_t group = 0; group < pages; group += sizeof(std::uint64_t)) {
    std::uint64_t flags;
    std::memcpy(&flags, transpiler_dirty + group, sizeof flags);
    if (flags == 0) continue;
    for (std::size_t page = group; page < group + sizeof flags; ++page) {
      if (transpiler_dirty[page] == 0) continue;
      const std::size_t at = page << TRANSPILER_PAGE_SHIFT;
      const std::size_t size =
          saved_bytes - at < kPage + kLongestStore ? saved_bytes - at : kPage + kLongestStore;
      std::memcpy(memory.data + at, saved + at, size);
    }
    std::memset(transpiler_dirty + group, 0, sizeof flags);
  }
}

}  // namespace cordon::transpiler

extern "C" {

void wasm_rt_trap(wasm_rt_trap_t) { cordon::transpiler::abandon(cordon::transpiler::Trap::kFault); }

bool wasm_rt_is_initialized(void) { return true; }

void wasm_rt_allocate_memory(wasm_rt_memory_t* memory, uint32_t pages, uint32_t max_pages) {
  using namespace cordon::transpiler;
  void* const reserved = ::mmap(nullptr, kReservedBytes, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const std::size_t size = pages * kWasmPage;
  if (reserved == MAP_FAILED || ::mprotect(reserved, size, PROT_READ | PROT_WRITE) != 0) {
    std::_Exit(EXIT_FAILURE);
  }
  memory->data = static_cast<uint8_t*>(reserved);
  memory->pages = pages;
  memory->max_pages = max_pages < kMaxPages ? max_pages : kMaxPages;
  memory->size = static_cast<uint32_t>(size);
}

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t* memory, uint32_t delta) {
  using namespace cordon::transpiler;
  const uint32_t before = memory->pages;
  if (delta > memory->max_pages - before) return UINT32_MAX;
  const std::size_t size = delta * kWasmPage;
  if (size != 0 && ::mprotect(memory->data + memory->size, size, PROT_READ | PROT_WRITE) != 0) {
    return UINT32_MAX;
  }
  memory->pages = before + delta;
  memory->size = static_cast<uint32_t>(memory->pages * kWasmPage);
  return before;
}

void wasm_rt_free_memory(wasm_rt_memory_t*) {}  // lives as long as the process

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t* table, uint32_t size, uint32_t max) {
  table->data = static_cast<wasm_rt_funcref_t*>(std::calloc(size, sizeof(wasm_rt_funcref_t)));
  if (table->data == nullptr) std::_Exit(EXIT_FAILURE);
  table->size = size;
  table->max_size = max;
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t*) {}

// Equal signatures must have equal numbers: each is written as a text of its own.
uint32_t wasm_rt_register_func_type(uint32_t parameters, uint32_t results, ...) {
  constexpr uint32_t kMaxTypes = 256;
  constexpr uint32_t kMaxValues = 62;
  struct Signature {
    unsigned char values[kMaxValues + 2];
  };
  static Signature known[kMaxTypes];
  static uint32_t count = 0;
  if (parameters + results > kMaxValues || count == kMaxTypes) std::_Exit(EXIT_FAILURE);
  Signature signature{};
  signature.values[0] = static_cast<unsigned char>(parameters);
  signature.values[1] = static_cast<unsigned char>(results);
  va_list list;
  va_start(list, results);
  for (uint32_t i = 0; i < parameters + results; ++i) {
    signature.values[i + 2] = static_cast<unsigned char>(va_arg(list, int));
  }
  va_end(list);
  for (uint32_t i = 0; i < count; ++i) {
    if (std::memcmp(&known[i], &signature, sizeof signature) == 0) return i + 1;
  }
  known[count] = signature;
  return ++count;
}

}  // extern "C"

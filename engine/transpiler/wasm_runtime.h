#pragma once
// What code that wasm2c has made needs at run time: its memory, its tables, its traps. And the one
// thing that we add: which pages of its memory it has written to, so that they can be put back.
//
// Included from C (the generated code) and C++. One instance a process, one thread.

#include <stdint.h>
#include <wasm-rt.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRANSPILER_PAGE_SHIFT 12

// One flag a page. An address of the generated code is the sum of two 32-bit numbers.
extern unsigned char transpiler_dirty[(UINT64_C(1) << (33 - TRANSPILER_PAGE_SHIFT)) + 1];

// A store of up to eight bytes from `address`: it may reach into the next page, which whoever puts
// pages back has to mind.
static inline void transpiler_note_store(uint64_t address) {
  transpiler_dirty[address >> TRANSPILER_PAGE_SHIFT] = 1;
}

static inline void transpiler_note_range(uint64_t address, uint64_t size) {
  if (size == 0) return;
  for (uint64_t page = address >> TRANSPILER_PAGE_SHIFT;
       page <= (address + size - 1) >> TRANSPILER_PAGE_SHIFT; ++page) {
    transpiler_dirty[page] = 1;
  }
}

#ifdef __cplusplus
}  // extern "C"

#include <cstddef>

namespace cordon::transpiler {

// Why a run of generated code ended early.
enum class Trap : int { kNone = 0, kFault, kTime };

// Handlers for faults, exhausted stacks and the CPU clock. Once, before anything else here. False
// when the system refuses.
bool start_runtime();

// Runs `body(context)`, which may call generated code and must hold nothing that needs a
// destructor. A trap in it abandons it where it stands.
Trap run_guarded(void (*body)(void*), void* context);

// Remembers the memory as it is now, at most once; restore_memory() makes it that again. Returns
// false when there is no memory for the copy.
bool save_memory(const wasm_rt_memory_t& memory);
void restore_memory(wasm_rt_memory_t& memory);

}  // namespace cordon::transpiler
#endif

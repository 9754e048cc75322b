#pragma once
// Tells the host why a process of the engine died when the signal alone would not: running out of
// memory ends with kExitOutOfMemory (messages/exit_codes.h), every other crash with its own signal.

#include "engine/start_failure.h"

namespace cordon::engine {

// Installs handlers, on a stack of their own, for the signals of a crash, and the handler of failed
// `new`. `crash_reason` is where the script engine leaves its reason before it crashes itself
// (mozjs: `gMozCrashReason`); may be null. Once per process, before the system call filter; forked
// children inherit it.
Started install_crash_report(const char* const* crash_reason);

// Whether a crash reason speaks of memory that could not be had. Safe in a signal handler.
bool says_out_of_memory(const char* reason) noexcept;

}  // namespace cordon::engine

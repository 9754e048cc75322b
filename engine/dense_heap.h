#pragma once
// Uses up the free fragments of the C library's heap, so that what a forked child allocates lies on
// a few pages of its own at the heap's end, instead of one here and there among the zygote's.

namespace cordon::engine {

// For the end of the warm-up: some hundred kilobytes of addresses are given up for good, their
// whole pages go back to the system. One thread, one arena.
void fill_heap_holes() noexcept;

}  // namespace cordon::engine

#pragma once
// The pages that a job writes to, so that a child can get its own copies of them at once rather
// than by one page fault each.
//
// Measured, not guessed: a probe runs a job and compares its memory with what it was before. No
// guest code and no protection is involved; where it fails, the list is empty and children fault.

#include <functional>
#include <span>
#include <vector>

#include "engine/writable_memory.h"

namespace cordon::engine {

// Forks a probe that runs `job`, and waits for it. Before the process is locked down.
std::vector<PageRange> find_touched_pages(const std::function<void()>& job);

// Gives the calling process its own copy of each page. Uses madvise only.
void touch(std::span<const PageRange> ranges) noexcept;

}  // namespace cordon::engine

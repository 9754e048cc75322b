#pragma once

namespace cordon::engine {

// Where a control group or the machine runs out of memory, the kernel is to end this process, or
// one that it forks, before the host. No wall: without procfs nothing is changed.
void go_before_the_host() noexcept;

}  // namespace cordon::engine

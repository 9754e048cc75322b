#pragma once
// Exit statuses of `cordon-engine` processes that the host gives a meaning. A hostile child can end
// with any of them: they are claims about that child alone.

namespace cordon {

inline constexpr int kExitDone = 0;
inline constexpr int kExitOutOfMemory = 12;  // the engine could not get memory and cannot go on
inline constexpr int kExitUsage = 64;        // not started by a Cordon host
inline constexpr int kExitNotLocked = 70;    // a mechanism failed: nothing was run

}  // namespace cordon

#pragma once
// Descriptors that the host and `cordon-launch` agree on (launch.capnp).

namespace cordon {

inline constexpr int kLaunchControl = 3;
inline constexpr int kLaunchRequest = 4;
inline constexpr int kBubblewrapArguments = 5;  // bubblewrap's own; closed by it
inline constexpr int kFirstControlGroup = 6;    // open on cgroup.procs files, as many as there are

// The command itself may have fewer descriptors than this: see Launch.allowExec.
inline constexpr int kExecutedDescriptor = 1023;

}  // namespace cordon

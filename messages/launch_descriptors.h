#pragma once
// Descriptors that the host and `cordon-launch` agree on (launch.capnp).

namespace cordon {

inline constexpr int kLaunchControl = 3;
inline constexpr int kLaunchRequest = 4;
inline constexpr int kBubblewrapArguments = 5;  // bubblewrap's own; closed by it
inline constexpr int kCpuQuota = 6;             // if there is one
// Open on cgroup.procs files, as many as there are.
inline constexpr int first_control_group(bool has_quota) { return has_quota ? 7 : 6; }

// The command itself may have fewer descriptors than this: see Launch.allowExec.
inline constexpr int kExecutedDescriptor = 1023;

}  // namespace cordon

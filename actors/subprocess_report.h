#pragma once
// The report on a call's commands: between C++ and messages, and in one line for the audit.

#include <cordon/subprocess_report.h>

#include <string>

#include "messages/call.capnp.h"

namespace cordon {

void write_report(wire::SubprocessReport::Builder out, const SubprocessReport& report);
SubprocessReport read_report(wire::SubprocessReport::Reader in);

// "namespaces: bubblewrap; memory: cgroup v1; ...; left out: cpu"
std::string summary(const SubprocessReport& report);

}  // namespace cordon

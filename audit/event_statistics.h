#pragma once
// How often each capability was used and refused, and how long it took.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <cordon/audit_event.h>

namespace cordon {

struct CapabilityStatistics {
  std::uint64_t used = 0;
  std::uint64_t denied = 0;
  std::uint64_t error = 0;
  std::uint64_t bytes = 0;           // of all its events together
  std::vector<double> durations_ms;  // of events that have one; in ascending order once finished
  std::uint64_t events() const noexcept { return used + denied + error; }
  // The smallest duration that `share` (0 to 1) of them do not exceed; 0 without any.
  double percentile_ms(double share) const;
};

// Memory: 8 bytes an event.
class EventStatistics {
 public:
  void add(const SandboxAuditEvent& event);
  // By capability. `add` may not be called after.
  const std::map<std::string, CapabilityStatistics>& finish();

 private:
  std::map<std::string, CapabilityStatistics> capabilities_;
};

}  // namespace cordon

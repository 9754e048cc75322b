#include "audit/event_statistics.h"

#include <algorithm>
#include <cmath>

namespace cordon {

double CapabilityStatistics::percentile_ms(double share) const {
  if (durations_ms.empty()) return 0;
  const auto count = static_cast<double>(durations_ms.size());
  const auto rank = static_cast<std::size_t>(std::max(std::ceil(share * count), 1.0));
  return durations_ms[std::min(rank, durations_ms.size()) - 1];
}

void EventStatistics::add(const SandboxAuditEvent& event) {
  CapabilityStatistics& statistics = capabilities_[event.capability];
  switch (event.outcome) {
    case SandboxAuditEvent::Outcome::kUsed:
      ++statistics.used;
      break;
    case SandboxAuditEvent::Outcome::kDenied:
      ++statistics.denied;
      break;
    case SandboxAuditEvent::Outcome::kError:
      ++statistics.error;
      break;
  }
  statistics.bytes += event.bytes.value_or(0);
  if (event.duration_ms) statistics.durations_ms.push_back(*event.duration_ms);
}

const std::map<std::string, CapabilityStatistics>& EventStatistics::finish() {
  for (auto& [name, statistics] : capabilities_) {
    std::sort(statistics.durations_ms.begin(), statistics.durations_ms.end());
  }
  return capabilities_;
}

}  // namespace cordon

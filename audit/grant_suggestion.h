#pragma once
// From what programs did to the narrowest policy that allows it.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <cordon/audit_event.h>

namespace cordon {

struct SuggestedGrants {
  std::string policy;              // JSON, as `cordon run --policy` takes it
  std::vector<std::string> notes;  // what the log does not tell and a person must see to
};

class GrantSuggestion {
 public:
  enum class Denied : bool { kStays, kIsAllowed };
  explicit GrantSuggestion(Denied denied) : denied_(denied) {}

  void add(const SandboxAuditEvent& event);
  SuggestedGrants finish() const;

 private:
  void add_target(const SandboxAuditEvent& event);
  void count_operation(const SandboxAuditEvent& event);

  const Denied denied_;
  std::map<std::string, std::set<std::string>> targets_;  // by capability
  std::map<std::string, std::uint64_t> most_bytes_;       // by capability
  std::map<std::string, std::uint64_t> operations_;       // of calls that are not over
  std::uint64_t most_operations_ = 0;
  bool private_addresses_ = false;
  std::set<std::string> notes_;
};

}  // namespace cordon

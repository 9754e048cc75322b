#include "audit/grant_suggestion.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cordon {

namespace {

using Json = nlohmann::ordered_json;
using Outcome = SandboxAuditEvent::Outcome;

// The reasons of refusals that a grant would have prevented, as the capabilities word them. Other
// denials break a rule that no grant changes.
constexpr std::array<std::string_view, 6> kMissingGrants = {
    "name is not in environment",
    "name is not in secrets",
    "not beneath a root of filesystem.read",
    "not beneath a root of filesystem.write",
    "origin is not in network.origins",
    "command is not in subprocess.commands"};

constexpr std::string_view kPrivateAddress = "its name resolves to a ";

bool is_missing_grant(const SandboxAuditEvent& event) {
  return event.reason && std::find(kMissingGrants.begin(), kMissingGrants.end(), *event.reason) !=
                             kMissingGrants.end();
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Whether the log holds the target as the program gave it.
bool is_whole(const std::string& target) {
  return !has(target, "[redacted]") && !has(target, "…") && !has(target, "\\u{");
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

// A root must exist: the path itself, else the deepest directory above it that does.
std::string existing_root(std::string path) {
  while (path.size() > 1 && !exists(path)) path.resize(std::max<std::size_t>(path.rfind('/'), 1));
  return path;
}

// Without roots that are beneath another one.
std::vector<std::string> roots(const std::set<std::string>& paths) {
  std::set<std::string> existing;
  for (const std::string& path : paths) existing.insert(existing_root(path));
  std::vector<std::string> kept;
  for (const std::string& path : existing) {
    const bool covered = std::any_of(kept.begin(), kept.end(), [&](const std::string& root) {
      return root == "/" || path.starts_with(root + "/");
    });
    if (!covered) kept.push_back(path);
  }
  return kept;
}

const std::set<std::string>& find(const std::map<std::string, std::set<std::string>>& targets,
                                  const char* capability) {
  static const std::set<std::string> none;
  const auto found = targets.find(capability);
  return found == targets.end() ? none : found->second;
}

// What an operation's limit is called, by its capability.
constexpr std::array<std::pair<const char*, const char*>, 5> kByteLimits = {{
    {"filesystem.read", "maxReadBytes"},
    {"filesystem.write", "maxWriteBytes"},
    {"network", "maxNetworkBytes"},
    {"subprocess", "maxProcessOutputBytes"},
    {"tool", "maxToolBytes"},
}};

}  // namespace

void GrantSuggestion::add(const SandboxAuditEvent& event) {
  if (is_log_record(event)) return;
  count_operation(event);
  if (event.outcome == Outcome::kDenied) {
    if (denied_ == Denied::kStays) return;
    if (event.capability == "resource.bytes") {
      notes_.insert("an operation passed a byte limit; the log does not say by how much");
    } else if (event.reason == "method is not in network.methods") {
      notes_.insert("a request's method was refused; the log does not say which");
    }
    const bool to_private = event.reason && event.reason->starts_with(kPrivateAddress);
    private_addresses_ = private_addresses_ || to_private;
    if (!to_private && !is_missing_grant(event)) return;
  }
  add_target(event);
}

void GrantSuggestion::add_target(const SandboxAuditEvent& event) {
  // What failed after authorization needed its grant as well.
  if (event.operation || event.capability == "execute" || !event.target) return;
  if (!is_whole(*event.target)) {
    notes_.insert("a target of " + event.capability +
                  " is not in the log as it was given (redacted, escaped or cut): left out");
    return;
  }
  targets_[event.capability].insert(*event.target);
  auto& most = most_bytes_[event.capability];
  most = std::max(most, event.bytes.value_or(0));
}

void GrantSuggestion::count_operation(const SandboxAuditEvent& event) {
  const bool over = event.capability == "execute";
  const bool limit = event.capability.starts_with("resource.") && !event.operation;
  auto& count = operations_[event.sandbox];
  if (!over && !limit) count += 1;
  if (over && denied_ == Denied::kIsAllowed) count += event.count.value_or(0);
  const bool refused = event.capability == "resource.operations";
  if (refused && denied_ == Denied::kStays) count -= 1;
  most_operations_ = std::max(most_operations_, count);
  if (over) operations_.erase(event.sandbox);
}

SuggestedGrants GrantSuggestion::finish() const {
  Json policy = Json::object();
  std::set<std::string> notes = notes_;
  for (const auto& [capability, key] :
       {std::pair("filesystem.read", "read"), {"filesystem.write", "write"}}) {
    const auto& paths = find(targets_, capability);
    if (!paths.empty()) policy["filesystem"][key] = roots(paths);
  }
  if (const auto& origins = find(targets_, "network"); !origins.empty()) {
    policy["network"]["origins"] = origins;
    if (private_addresses_) policy["network"]["allowPrivateAddresses"] = true;
    notes.insert("the log does not hold methods: add those besides GET to network.methods");
  }
  if (const auto& commands = find(targets_, "subprocess"); !commands.empty()) {
    policy["subprocess"]["commands"] = commands;
  }
  for (const std::string& name : find(targets_, "environment")) {
    policy["environment"][name] = "";
    notes.insert("the log does not hold values: fill in those of environment");
  }
  for (const std::string& name : find(targets_, "secret")) {
    policy["secrets"][name] = {{"env", name}};
    notes.insert("each secret is taken from the variable of its name: change what is not there");
  }
  if (most_operations_ > 0) policy["resources"]["maxOperations"] = most_operations_;
  for (const auto& [capability, limit] : kByteLimits) {
    const auto found = most_bytes_.find(capability);
    if (found != most_bytes_.end() && found->second > 0) {
      policy["resources"][limit] = found->second;
    }
  }
  return {policy.dump(2), {notes.begin(), notes.end()}};
}

}  // namespace cordon

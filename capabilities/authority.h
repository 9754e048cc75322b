#pragma once
// What one sandbox may do: the checked form of its options.
//
// Invariant: an Authority exists only if every field of the options is valid, and never changes. It
// holds secret values: share it by reference, log nothing of it.

#include <cordon/options.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capabilities/file_root.h"
#include "capabilities/origin.h"
#include "capabilities/subprocess_authority.h"

namespace cordon {

class ToolSet;

struct NetworkAuthority {
  std::vector<Origin> origins;
  std::vector<std::string> methods;  // upper case
  bool allow_private_addresses = false;

  bool grants_origin(const Origin& origin) const noexcept;
  bool grants_method(std::string_view upper_case) const noexcept;
};

// Immutable and so thread-safe. Holds one open descriptor per file root.
class Authority {
 public:
  // Throws InvalidOption for the first field that cannot be used.
  static Authority validate(const AISandboxOptions& options);
  // The same with tools that were checked before, in place of `options.tools`. Null: none.
  static Authority validate(const AISandboxOptions& options, std::shared_ptr<const ToolSet> tools);

  const FileRoots& read_roots() const noexcept { return read_roots_; }
  const FileRoots& write_roots() const noexcept { return write_roots_; }
  // Null: not granted.
  const NetworkAuthority* network() const noexcept { return network_ ? &*network_ : nullptr; }
  const SubprocessAuthority* subprocess() const noexcept {
    return subprocess_ ? &*subprocess_ : nullptr;
  }
  const std::map<std::string, std::string>& environment() const noexcept { return environment_; }
  const std::map<std::string, std::string>& secrets() const noexcept { return secrets_; }
  const std::map<std::string, std::string>& modules() const noexcept { return modules_; }
  // Never null.
  const std::shared_ptr<const ToolSet>& tools() const noexcept { return tools_; }
  const SandboxResourceGrant& resources() const noexcept { return resources_; }
  bool experimental_decorators() const noexcept { return experimental_decorators_; }

 private:
  Authority() = default;

  FileRoots read_roots_;
  FileRoots write_roots_;
  std::optional<NetworkAuthority> network_;
  std::optional<SubprocessAuthority> subprocess_;
  std::map<std::string, std::string> environment_;
  std::map<std::string, std::string> secrets_;
  std::map<std::string, std::string> modules_;
  std::shared_ptr<const ToolSet> tools_;
  SandboxResourceGrant resources_;
  bool experimental_decorators_ = false;
};

}  // namespace cordon

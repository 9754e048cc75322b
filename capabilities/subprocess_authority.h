#pragma once
// The checked form of a subprocess grant.

#include <cordon/options.h>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

struct GrantedCommand {
  std::string path;       // as granted: what spawn() must name, and argv[0]
  std::string canonical;  // the executable file itself, links resolved at validation: what is run
};

struct SubprocessAuthority {
  std::vector<GrantedCommand> commands;
  std::vector<GrantedCommand> allowed_binaries;  // what commands may execute besides
  std::map<std::string, std::string> environment;
  std::uint64_t timeout_ms = 0;
  SandboxProcessPolicy sandbox;  // its filesystem paths in canonical form

  const GrantedCommand* find(std::string_view path) const noexcept;
};

// Throws InvalidOption. What the guest or its commands could change must not be run: neither what
// is beneath a `changeable` path (the canonical write roots) nor beneath the sandbox's own writable
// ones.
SubprocessAuthority validate_subprocess(const SandboxSubprocessGrant& grant,
                                        std::vector<std::string> changeable);

}  // namespace cordon

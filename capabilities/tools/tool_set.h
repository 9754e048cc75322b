#pragma once
// The checked form of AISandboxOptions::tools.
//
// Invariant: every specifier and name is valid and unique, and every schema can be judged by.
// Immutable, and so thread-safe.

#include <cordon/tools.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "capabilities/tools/schema.h"

namespace cordon {

struct CheckedTool {
  std::string name;
  std::string description;
  Schema parameters;
  std::optional<Schema> result;
  ToolHandler handler;
};

struct CheckedToolModule {
  std::string specifier;
  std::string description;
  std::vector<CheckedTool> tools;
};

class ToolSet {
 public:
  // Throws InvalidOption for the first field that cannot be used. Handlers may be missing.
  static ToolSet check(const std::vector<ToolModule>& modules);
  // The same, and throws when a handler is missing or a specifier is one of `modules`, too.
  static ToolSet validate(const std::vector<ToolModule>& tools,
                          const std::map<std::string, std::string>& modules);

  const std::vector<CheckedToolModule>& modules() const noexcept { return modules_; }
  // Null: there is no such tool.
  const CheckedTool* find(std::string_view specifier, std::string_view name) const noexcept;

 private:
  std::vector<CheckedToolModule> modules_;
};

}  // namespace cordon

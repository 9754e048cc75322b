#include "capabilities/tools/tool_set.h"

#include <cordon/options.h>

#include <algorithm>
#include <set>

#include "capabilities/option_checks.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

constexpr std::size_t kMaxNameLength = 64;
constexpr std::size_t kMaxSpecifierLength = 200;
constexpr std::size_t kMaxDescriptionBytes = std::size_t{64} << 10;
constexpr std::string_view kReservedPrefix = "fino:";

// What a module cannot declare, and what would change the meaning of the code around it. A module
// that exports `then` cannot be imported dynamically: the import would call it.
constexpr std::string_view kReservedNames[] = {
    "arguments", "async",    "await",      "break",     "case",     "catch",      "class",
    "const",     "continue", "debugger",   "default",   "delete",   "do",         "else",
    "enum",      "eval",     "export",     "extends",   "false",    "finally",    "for",
    "function",  "if",       "implements", "import",    "in",       "instanceof", "interface",
    "let",       "new",      "null",       "package",   "private",  "protected",  "public",
    "return",    "static",   "super",      "switch",    "then",     "this",       "throw",
    "true",      "try",      "typeof",     "undefined", "var",      "void",       "while",
    "with",      "yield",    "NaN",        "Infinity",  "__proto__"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void require_name(const std::string& field, const std::string& name) {
  const bool identifier = !name.empty() && name.size() <= kMaxNameLength &&
                          !is_digit(name.front()) && std::ranges::all_of(name, [](char c) {
                            return is_letter(c) || is_digit(c) || c == '_' || c == '$';
                          });
  if (!identifier)
    throw InvalidOption(field,
                        "must be an identifier: at most 64 ASCII letters, digits, _ and $, "
                        "no digit first");
  if (std::ranges::find(kReservedNames, name) != std::end(kReservedNames))
    throw InvalidOption(field, name + " is a reserved word and cannot name a tool");
}

void require_specifier(const std::string& field, const std::string& specifier) {
  constexpr std::string_view kOthers = "@._/:-";
  const bool valid = !specifier.empty() && specifier.size() <= kMaxSpecifierLength &&
                     (is_letter(specifier.front()) || specifier.front() == '@') &&
                     std::ranges::all_of(specifier, [&](char c) {
                       return is_letter(c) || is_digit(c) || kOthers.find(c) != kOthers.npos;
                     });
  if (!valid)
    throw InvalidOption(field,
                        "must be at most 200 letters, digits and @ . _ / : -, and begin "
                        "with a letter or @");
  if (specifier.starts_with(kReservedPrefix))
    throw InvalidOption(field, "specifiers beginning with fino: are reserved");
}

void require_description(const std::string& field, const std::string& text) {
  if (text.size() > kMaxDescriptionBytes || !is_valid_utf8(text))
    throw InvalidOption(field, "must be valid UTF-8 of at most 65536 bytes");
}

CheckedTool check_tool(const std::string& field, const Tool& tool) {
  require_name(field + ".name", tool.name);
  require_description(field + ".description", tool.description);
  CheckedTool checked{.name = tool.name,
                      .description = tool.description,
                      .parameters = read_schema(field + ".parameters", tool.parameters),
                      .result = {},
                      .handler = tool.handler};
  if (checked.parameters.types != kJsonObject || checked.parameters.nothing)
    throw InvalidOption(field + ".parameters",
                        "must have \"type\": \"object\", since a tool has "
                        "one argument, an object");
  if (tool.result) checked.result = read_schema(field + ".result", *tool.result);
  return checked;
}

CheckedToolModule check_module(const std::string& field, const ToolModule& module) {
  require_specifier(field + ".specifier", module.specifier);
  require_description(field + ".description", module.description);
  CheckedToolModule checked{module.specifier, module.description, {}};
  if (module.tools.empty()) throw InvalidOption(field + ".tools", "must not be empty");
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < module.tools.size(); ++i) {
    const std::string place = element(field + ".tools", i);
    checked.tools.push_back(check_tool(place, module.tools[i]));
    if (!names.insert(module.tools[i].name).second)
      throw InvalidOption(place + ".name", "is the name of another tool of this module, too");
  }
  return checked;
}

}  // namespace

ToolSet ToolSet::check(const std::vector<ToolModule>& modules) {
  ToolSet set;
  std::set<std::string_view> specifiers;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const std::string field = element("tools", i);
    set.modules_.push_back(check_module(field, modules[i]));
    if (!specifiers.insert(modules[i].specifier).second)
      throw InvalidOption(field + ".specifier", "is that of another module of tools, too");
  }
  return set;
}

ToolSet ToolSet::validate(const std::vector<ToolModule>& tools,
                          const std::map<std::string, std::string>& modules) {
  ToolSet set = check(tools);
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const std::string field = element("tools", i);
    if (modules.contains(tools[i].specifier))
      throw InvalidOption(field + ".specifier", "is one of `modules`, too");
    for (std::size_t j = 0; j < tools[i].tools.size(); ++j) {
      if (!tools[i].tools[j].handler)
        throw InvalidOption(element(field + ".tools", j) + ".handler", "must be a function");
    }
  }
  return set;
}

const CheckedTool* ToolSet::find(std::string_view specifier, std::string_view name) const noexcept {
  const auto module = std::ranges::find(modules_, specifier, &CheckedToolModule::specifier);
  if (module == modules_.end()) return nullptr;
  const auto tool = std::ranges::find(module->tools, name, &CheckedTool::name);
  return tool == module->tools.end() ? nullptr : &*tool;
}

}  // namespace cordon

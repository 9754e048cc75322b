#include "cli/tool_file.h"

#include <cordon/options.h>

#include <nlohmann/json.hpp>

#include "capabilities/option_checks.h"
#include "capabilities/shown_text.h"
#include "cli/text_file.h"

namespace cordon {
namespace {

using Json = nlohmann::ordered_json;  // schemas keep the order of their properties

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{4} << 20;

std::string text_of(const std::string& field, const Json& value) {
  if (!value.is_string()) throw InvalidOption(field, "must be a string");
  return value.get<std::string>();
}

const Json& array_of(const std::string& field, const Json& value) {
  if (!value.is_array()) throw InvalidOption(field, "must be an array");
  return value;
}

const Json& object_of(const std::string& field, const Json& value) {
  if (!value.is_object()) throw InvalidOption(field, "must be an object");
  return value;
}

Tool tool_of(const std::string& field, const Json& in) {
  Tool tool;
  for (const auto& [key, value] : object_of(field, in).items()) {
    const std::string place = field + "." + shown(key);
    if (key == "name") {
      tool.name = text_of(place, value);
    } else if (key == "description") {
      tool.description = text_of(place, value);
    } else if (key == "parameters") {
      tool.parameters = value.dump();
    } else if (key == "result") {
      tool.result = value.dump();
    } else {
      throw InvalidOption(place, "is not a field of a tool: name, description, parameters, result");
    }
  }
  return tool;
}

ToolModule module_of(const std::string& field, const Json& in) {
  ToolModule module;
  for (const auto& [key, value] : object_of(field, in).items()) {
    const std::string place = field + "." + shown(key);
    if (key == "specifier") {
      module.specifier = text_of(place, value);
    } else if (key == "description") {
      module.description = text_of(place, value);
    } else if (key == "tools") {
      for (std::size_t i = 0; i < array_of(place, value).size(); ++i)
        module.tools.push_back(tool_of(element(place, i), value[i]));
    } else {
      throw InvalidOption(place, "is not a field of a module: specifier, description, tools");
    }
  }
  return module;
}

}  // namespace

Result<std::vector<ToolModule>, UsageError> read_tool_file(const std::string& file) {
  const auto text = read_text_file(file, {kMaxFileBytes});
  if (!text) return UsageError{"--tools=", file, ": ", text.error().message};
  const Json json = Json::parse(*text, nullptr, false);
  if (json.is_discarded()) return UsageError{"--tools=", file, ": must be JSON text"};
  try {
    std::vector<ToolModule> modules;
    for (std::size_t i = 0; i < array_of("tools", json).size(); ++i)
      modules.push_back(module_of(element("tools", i), json[i]));
    return modules;
  } catch (const InvalidOption& invalid) {
    return UsageError{"--tools=", file, ": ", invalid.what()};
  }
}

}  // namespace cordon

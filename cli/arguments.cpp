#include "cli/arguments.h"

#include <optional>
#include <stdexcept>

#include "cli/terminal_text.h"

namespace cordon {
namespace {

std::optional<Value> as_value(std::string text) {
  try {
    return Value::from_json(std::move(text));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

Result<Value, UsageError> parse_arguments(const std::vector<std::string>& arguments) {
  std::string array = "[";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (i > 0) array += ',';
    if (!is_utf8(argument)) {
      return UsageError{"argument ", std::to_string(i + 1), " is not UTF-8 text"};
    }
    // What is JSON and yet no value (nested too deeply) must not turn into a string unnoticed.
    const bool json = as_value(argument).has_value() || nlohmann::json::accept(argument);
    array += json ? argument : nlohmann::json(argument).dump();
  }
  array += ']';
  if (auto value = as_value(std::move(array))) return *std::move(value);
  return UsageError{"the arguments are nested too deeply: values are at most 1,000 deep"};
}

}  // namespace cordon

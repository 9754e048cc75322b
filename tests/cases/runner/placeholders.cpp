#include "tests/cases/runner/placeholders.h"

namespace cordon::cases {

std::string replaced(const std::string& text, const Placeholders& placeholders) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string* value = nullptr;
    std::size_t size = 1;
    for (const auto& [name, replacement] : placeholders) {
      if (name.size() >= size && text.compare(at, name.size(), name) == 0) {
        value = &replacement;
        size = name.size();
      }
    }
    out += value != nullptr ? *value : text.substr(at, 1);
    at += size;
  }
  return out;
}

Json replaced(const Json& value, const Placeholders& placeholders) {
  if (value.is_string()) return replaced(value.get<std::string>(), placeholders);
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& each : value) out.push_back(replaced(each, placeholders));
    return out;
  }
  if (value.is_object()) {
    Json out = Json::object();
    for (const auto& [key, each] : value.items())
      out[replaced(key, placeholders)] = replaced(each, placeholders);
    return out;
  }
  return value;
}

}  // namespace cordon::cases

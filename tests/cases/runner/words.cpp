#include "tests/cases/runner/words.h"

#include <cctype>

namespace cordon::cases {

std::vector<std::string> clauses(const std::string& words) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(';', at), words.size());
    const std::string part = words.substr(at, end - at);
    const std::size_t first = part.find_first_not_of(" \t\n");
    if (first != std::string::npos)
      found.push_back(part.substr(first, part.find_last_not_of(" \t\n.") - first + 1));
    at = end + 1;
  }
  return found;
}

std::optional<std::smatch> says(const std::string& text, const std::string& pattern) {
  std::smatch match;
  const std::regex regex(pattern, std::regex::ECMAScript | std::regex::icase);
  if (!std::regex_match(text, match, regex)) return std::nullopt;
  return match;
}

std::chrono::milliseconds duration(const std::string& number, const std::string& unit) {
  const bool counted = !number.empty() && std::isdigit(static_cast<unsigned char>(number[0])) != 0;
  const long count = counted ? std::stol(number) : 1;
  return std::chrono::milliseconds(unit.starts_with('m') ? count : count * 1000);
}

std::size_t byte_count(const std::string& number, const std::string& unit) {
  std::string digits;
  for (const char c : number) {
    if (c >= '0' && c <= '9') digits += c;
  }
  const std::size_t count = std::stoul(digits);
  if (says(unit, "ki?b.*")) return count << 10U;
  if (says(unit, "mi?b.*")) return count << 20U;
  if (says(unit, "gi?b.*")) return count << 30U;
  return count;
}

}  // namespace cordon::cases

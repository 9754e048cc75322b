// Origins and request targets, compared with what the reference implementation of the URL standard
// makes of the same inputs (make_data.mjs). What we accept must be the very same; what we refuse
// although the standard has a meaning for it must break one of our stricter rules, each of which
// stands below.

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "capabilities/origin.h"

namespace cordon {
namespace {

using nlohmann::json;

std::vector<json> data() {
  std::ifstream file(CORDON_ORIGIN_DATA);
  return json::parse(file).get<std::vector<json>>();
}

// The text between the scheme's slashes and the path, query or fragment.
std::string authority(const std::string& input) {
  const std::size_t start = std::min(input.find("//"), input.size());
  const std::string rest = input.substr(std::min(start + 2, input.size()));
  return rest.substr(0, rest.find_first_of("/?#"));
}

std::string host(const std::string& input) {
  const std::string text = authority(input);
  if (text.starts_with('[')) return text.substr(0, text.find(']') + 1);
  return text.substr(0, text.find(':'));
}

std::string last_label(const std::string& input) {
  const std::string name = host(input);
  return name.substr(name.rfind('.') + 1);
}

bool any(const std::string& text, bool (*wanted)(unsigned char)) {
  return std::any_of(text.begin(), text.end(),
                     [&](char c) { return wanted(static_cast<unsigned char>(c)); });
}

struct StricterRule {
  const char* name;
  const char* reason;
  bool (*broken_by)(const std::string& input);
};

constexpr StricterRule kRules[] = {
    {"control characters", "the standard drops some, others end a line or a text",
     [](const std::string& input) {
       return any(input, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
     }},
    {"spaces at an end", "the standard drops them, others encode them",
     [](const std::string& input) { return input.starts_with(' ') || input.ends_with(' '); }},
    {"slashes",
     "exactly two follow the scheme: with others, parsers differ about where the host is",
     [](const std::string& input) {
       const std::string rest = input.substr(std::min(input.find(':') + 1, input.size()));
       return !rest.starts_with("//") || rest.starts_with("///");
     }},
    {"backslashes", "the standard reads a slash, others a character of the host or path",
     [](const std::string& input) {
       return input.substr(0, input.find_first_of("?#")).find('\\') != std::string::npos;
     }},
    {"user information", "nobody's password is sent on, and an origin may hide in it",
     [](const std::string& input) { return authority(input).find('@') != std::string::npos; }},
    {"percent signs in the host", "the standard decodes them, others do not",
     [](const std::string& input) { return authority(input).find('%') != std::string::npos; }},
    {"non-ASCII hosts", "mappings differ between versions of Unicode: the xn-- form is exact",
     [](const std::string& input) {
       return any(authority(input), [](unsigned char c) { return c >= 0x80; });
     }},
    {"punctuation in the host", "no DNS name has it",
     [](const std::string& input) {
       const std::string name = host(input);
       return !name.starts_with('[') && any(name, [](unsigned char c) {
         return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.';
       });
     }},
    {"empty labels", "a dot at the end makes another name for the same host",
     [](const std::string& input) {
       const std::string name = "." + host(input) + ".";
       return name.find("..") != std::string::npos;
     }},
    {"numeric hosts", "octal, hexadecimal and short addresses: only four decimals are exact",
     [](const std::string& input) {
       const std::string label = last_label(input);
       return label.starts_with("0x") || label.starts_with("0X") ||
              !any(label, [](unsigned char c) { return std::isdigit(c) == 0; });
     }},
    {"ports", "zero, nothing, or zeros in front",
     [](const std::string& input) {
       const std::string port = authority(input).substr(host(input).size());
       return port.starts_with(":") && (port.size() == 1 || port[1] == '0');
     }},
};

const StricterRule* stricter_rule(const std::string& input) {
  const auto* const found =
      std::find_if(std::begin(kRules), std::end(kRules),
                   [&](const StricterRule& rule) { return rule.broken_by(input); });
  return found == std::end(kRules) ? nullptr : found;
}

TEST_CASE("every URL that is accepted has the standard's origin and request target") {
  int accepted = 0;
  for (const json& entry : data()) {
    const auto url = parse_http_url(entry["input"].get<std::string>());
    if (!url) continue;
    ++accepted;
    CAPTURE(entry.dump(), url->origin.text(), url->target);
    CHECK(entry["origin"] == url->origin.text());
    CHECK(entry["rest"] == url->target);
  }
  CHECK(accepted > 2000);
}

TEST_CASE("every URL that is refused has no origin by the standard, or breaks a stricter rule") {
  std::map<std::string, int> refused;
  for (const json& entry : data()) {
    const auto input = entry["input"].get<std::string>();
    const auto url = parse_http_url(input);
    if (url || entry["origin"].is_null()) continue;
    CAPTURE(entry.dump(), url.error().text);
    const StricterRule* rule = stricter_rule(input);
    CHECK(rule != nullptr);
    if (rule != nullptr) ++refused[rule->name];
    // A refusal that names an origin names the right one.
    if (url.error().origin) CHECK(entry["origin"] == url.error().origin->text());
  }
  // No rule is kept for nothing.
  for (const StricterRule& rule : kRules) {
    CAPTURE(rule.name, rule.reason);
    CHECK(refused[rule.name] > 0);
  }
}

TEST_CASE("what is granted as an origin is the standard's origin and nothing more") {
  int granted = 0;
  for (const json& entry : data()) {
    const auto origin = parse_origin(entry["input"].get<std::string>());
    if (!origin) continue;
    ++granted;
    CAPTURE(entry.dump());
    CHECK(entry["origin"] == origin->text());
    CHECK(entry["rest"] == "/");
  }
  CHECK(granted > 50);
}

TEST_CASE("the standard's spelling of an accepted origin is that origin") {
  for (const json& entry : data()) {
    const auto url = parse_http_url(entry["input"].get<std::string>());
    if (!url || entry["origin"].is_null()) continue;
    CAPTURE(entry.dump());
    const auto origin = parse_origin(entry["origin"].get<std::string>());
    REQUIRE(origin.has_value());
    CHECK(*origin == url->origin);
  }
}

}  // namespace
}  // namespace cordon

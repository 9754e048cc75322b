#include "tests/cases/runner/case_file.h"

#include <fstream>
#include <set>

namespace cordon::cases {

namespace {

std::vector<Json> alternatives(const Json& fields, const std::string& each, const std::string& one,
                               const Json& none) {
  if (!fields.contains(each)) return {fields.value(one, none)};
  const Json& list = fields[each];
  if (!list.is_array() || list.empty()) throw Unknown(each + " that lists nothing");
  return {list.begin(), list.end()};
}

std::string shortened(std::string text) {
  constexpr std::size_t kMost = 120;
  if (text.size() > kMost) text = text.substr(0, kMost) + "…";
  return text;
}

}  // namespace

std::vector<Case> read_cases(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::vector<Case> cases;
  std::set<std::string> ids;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = file.string() + ":" + std::to_string(number) + ": ";
    try {
      Json fields = parse_json(line);
      std::string id = fields.at("id").get<std::string>();
      if (!ids.insert(id).second) throw std::runtime_error("the id " + id + " occurs twice");
      cases.push_back({std::move(id), std::move(fields)});
    } catch (const std::exception& error) {
      throw std::runtime_error(place + error.what());
    }
  }
  return cases;
}

std::vector<RunPlan> runs_of(const Case& one) {
  require_keys(one.fields,
               {"id", "area", "kind", "severity", "title", "source", "source_gen", "args",
                "args_each", "options", "options_each", "driver", "fixture", "expect",
                "audit_expect", "audit_forbid", "post", "see"},
               "a case");
  std::vector<RunPlan> runs;
  for (const Json& arguments : alternatives(one.fields, "args_each", "args", Json::array())) {
    for (const Json& options :
         alternatives(one.fields, "options_each", "options", Json::object())) {
      if (!arguments.is_array()) throw Unknown("arguments that are not a list");
      runs.push_back(
          {"args " + shortened(json_text(arguments)) + ", options " + shortened(json_text(options)),
           arguments, options});
    }
  }
  if (runs.size() == 1) runs.front().label.clear();
  return runs;
}

}  // namespace cordon::cases

#include "tests/cases/runner/driver_words.h"

#include "tests/cases/runner/words.h"

namespace cordon::cases {

namespace {

constexpr const char* kLead = "^(?:(?:and|then|first|finally|next|at last)[ ,]+)+";

int times_of(const std::string& word) {
  if (word.empty() || word == "once") return 1;
  return word == "twice" ? 2 : std::stoi(word);
}

void add_clause(Json& steps, std::string clause, const std::string& words) {
  clause = std::regex_replace(clause, std::regex(kLead, std::regex::icase), "");
  if (const auto wait =
          says(clause,
               "(?:after|wait(?: for)?) (\\d+|a|one) ?(ms|milliseconds?|s|seconds?)(?:,? (.*))?")) {
    steps.push_back({{"do", "wait"}, {"ms", duration((*wait)[1], (*wait)[2]).count()}});
    if ((*wait)[3].length() > 0) add_clause(steps, (*wait)[3], words);
  } else if (says(clause, "start (?:a |the )?call\\(\\)(?: without waiting| and do not wait)?")) {
    steps.push_back({{"do", "start"}});
  } else if (const auto end = says(
                 clause, "(?:call )?terminate\\(\\)(?: again)?(?: (once|twice|\\d+ times))?")) {
    steps.push_back({{"do", "terminate"}, {"times", times_of((*end)[1])}});
  } else if (const auto refused =
                 says(clause,
                      "(?:a )?(?:second |third )?call\\(\\)(?: again| a second time| once more)? "
                      "(?:must|should|has to) (?:reject|throw|fail|be refused|be rejected)"
                      "(?: with)?(?: /(.*)/i?)?")) {
    steps.push_back({{"do", "refused_call"}, {"pattern", (*refused)[1].str()}});
  } else if (says(
                 clause,
                 "(?:construct(?: the sandbox)?,? (?:and )?)?call\\(\\)(?: once)?(?: and wait)?")) {
    steps.push_back({{"do", "call"}});
  } else if (says(clause, "(?:wait|wait for (?:it|the (?:first )?call)(?: to (?:end|settle))?)")) {
    steps.push_back({{"do", "join"}});
  } else if (says(clause, "(?:drop|destroy|release) the sandbox")) {
    steps.push_back({{"do", "drop"}});
  } else {
    throw Unknown("the driver wording \"" + clause + "\" in \"" + words + "\"");
  }
}

}  // namespace

Json driver_steps(const std::string& words) {
  Json steps = Json::array();
  for (const std::string& clause : clauses(words)) add_clause(steps, clause, words);
  if (steps.empty()) throw Unknown("an empty driver");
  return steps;
}

Json plain_driver_steps() { return Json::array({Json{{"do", "call"}}}); }

}  // namespace cordon::cases

#include "tests/cases/runner/resolver_words.h"

#include <string>

#include "tests/cases/runner/words.h"

namespace cordon::cases {

namespace {

const std::string kAddress = "[0-9a-fA-F:.]*[0-9a-fA-F:][0-9a-fA-F:.]*";

// Every address in the text, which holds nothing but addresses and small words.
Json addresses(std::string text, const std::string& words) {
  static const std::regex small(
      "(?:,| and | first| at first| the first time|once| for ever|"
      "every time| always| on the first lookup| on the second lookup| on later lookups| for every "
      "later lookup| afterwards)",
      std::regex::icase);
  text = std::regex_replace(text, small, " ");
  Json found = Json::array();
  std::smatch match;
  static const std::regex address("^ *(" + kAddress + ") *");
  while (std::regex_search(text, match, address)) {
    std::string each = match[1];
    if (each.find_first_of(".:") == std::string::npos) break;
    found.push_back(std::move(each));
    text = match.suffix();
  }
  if (found.empty() || text.find_first_not_of(' ') != std::string::npos)
    throw Unknown("the resolver wording \"" + words + "\"");
  return found;
}

Json rule_of(const std::string& clause) {
  if (const auto gone = says(clause, "(\\S+) (?:does not exist|is unknown|has no address)"))
    return {{"name", (*gone)[1].str()}, {"answers", Json::array({Json::array()})}};
  const auto rule = says(clause,
                         "(?:the name )?(?:(any|every|each|all) (?:name|host|lookup)s?|(\\S+)) "
                         "(?:resolves?(?: first)? to|answers?(?: "
                         "with)?|gives?|is|returns?|->|→|=>|=)(?: first)? (.*)");
  if (!rule) throw Unknown("the resolver wording \"" + clause + "\"");
  Json answers = Json::array();
  std::string rest = (*rule)[3];
  static const std::regex then(",? (?:and )?(?:then|after that|later|afterwards)(?: to)? ");
  std::sregex_token_iterator part(rest.begin(), rest.end(), then, -1);
  for (; part != std::sregex_token_iterator(); ++part) answers.push_back(addresses(*part, clause));
  return {{"name", (*rule)[1].matched ? "*" : (*rule)[2].str()}, {"answers", std::move(answers)}};
}

}  // namespace

Json resolver_rules(const Json& fixture) {
  Json rules = Json::array();
  if (fixture.is_object()) {
    for (const auto& [name, list] : fixture.items())
      rules.push_back(
          {{"name", name}, {"answers", Json::array({texts_of(list, "the resolver's addresses")})}});
    return rules;
  }
  for (const std::string& clause : clauses(text_of(fixture, "a resolver")))
    rules.push_back(rule_of(clause));
  return rules;
}

}  // namespace cordon::cases

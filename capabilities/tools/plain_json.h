#pragma once
// Between the tagged JSON in which values cross and the plain JSON that tools take and give.
//
// A guest's value may hold what JSON lacks (undefined, NaN, bigint, Date, ...), written as tags. A
// property that is undefined counts as absent, as JSON.stringify has it; -0 is 0; everything else
// of that kind is refused. Going the other way, an object that would look like a tag is wrapped.

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "messages/result.h"

namespace cordon {

inline constexpr unsigned kMaxPlainJsonDepth = 1000;

struct JsonProblem {
  JsonProblem() = default;
  // From a list: a constructor from one text would make results of text ambiguous.
  JsonProblem(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) text += part;
  }
  std::string text;
};

// `tagged` is a hostile child's: any tag may hold anything. The error names the path, from `root`:
// "`input.when` must be plain JSON, not a Date".
Result<nlohmann::json, JsonProblem> plain_json(nlohmann::json tagged, std::string_view root);

// The tagged text of `plain`. The error says what JSON cannot hold.
Result<std::string, JsonProblem> tagged_json(nlohmann::json plain);

}  // namespace cordon

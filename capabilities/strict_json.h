#pragma once
// JSON text whose objects name no key twice: readers disagree on which of the two counts, so one of
// them would be dropped in silence. Linear in the text's length.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "messages/result.h"

namespace cordon {

struct StrictJsonError {
  enum class Kind { kSyntax, kNumber, kTooDeep, kRepeatedKey };
  Kind kind = Kind::kSyntax;
  std::size_t byte = 0;  // from 1; of kSyntax
  std::string key = {};  // of kRepeatedKey
};

// `max_depth`: arrays and objects within one another. The text's length is the caller's to bound.
Result<nlohmann::json, StrictJsonError> parse_strict_json(std::string_view text,
                                                          std::size_t max_depth);

}  // namespace cordon

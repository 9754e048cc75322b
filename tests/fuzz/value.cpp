// The host's side of values: what is taken for JSON is JSON, can be viewed, and reads back alike.

#include <cordon/value.h>

#include <stdexcept>

#include "actors/json_text.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::as_text(data, size);
  const auto members = find_json_members(text, kMaxJsonDepth);
  if (find_json_error(text)) {
    fuzz::require(!members, "members of what is no JSON");
    try {
      Value::from_json(std::string(text));
      fuzz::require(false, "a value was made from what is no JSON");
    } catch (const std::invalid_argument&) {
    }
    return 0;
  }
  const Value value = Value::from_json(std::string(text));
  fuzz::require(value.json() == text, "a value's text was changed");
  const nlohmann::json view = value.view();
  if (members) {
    fuzz::require(members->size() == view.size(), "other members than in the view");
    for (const auto& [key, piece] : *members) {
      fuzz::require(!find_json_error(piece), "a member that is no JSON");
    }
  }
  fuzz::require(!find_json_error(Value::from(view).json()), "a view that cannot be written");
  return 0;
}

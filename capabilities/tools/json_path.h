#pragma once
// Where in a value we are. Costs nothing until it is written out, which is only done when something
// is wrong: a hostile value may be deep, wide, and have long keys at once.

#include <cstddef>
#include <string>
#include <string_view>

#include "capabilities/shown_text.h"

namespace cordon {

// A list on the stack, from the innermost place outwards. The root has a name and no parent.
struct JsonPath {
  const JsonPath* parent = nullptr;
  std::string_view name = {};  // without data: an element of an array
  std::size_t index = 0;

  // "input.list[3].name", in one harmless line; what is in the middle of a long one is left out.
  std::string text() const {
    constexpr std::size_t kMaxSteps = 16;
    std::string end;
    std::size_t steps = 0;
    const JsonPath* place = this;
    for (; place->parent != nullptr; place = place->parent) {
      if (++steps > kMaxSteps) continue;
      const bool element = place->name.data() == nullptr;
      end = (element ? "[" + std::to_string(place->index) + "]" : "." + shown(place->name)) + end;
    }
    return std::string(place->name) + (steps > kMaxSteps ? "…" : "") + end;
  }
};

}  // namespace cordon

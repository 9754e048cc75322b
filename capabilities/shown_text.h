#pragma once
// Names that a guest or a policy chose, as they appear inside a message.

#include <string>
#include <string_view>

namespace cordon {

// `text` in one harmless line: well-formed, at most 200 characters (then "…"), control and
// bidirectional characters as \u{hex}; `""` when empty.
std::string shown(std::string_view text);

}  // namespace cordon

#pragma once
// Hostile text before a person's terminal sees it. Nothing that passes through here can move the
// cursor, change colours, hide or reorder what is shown.

#include <string>
#include <string_view>

namespace cordon {

bool is_utf8(std::string_view text) noexcept;

// Keeps line breaks and tabs; the other control characters and those that steer the direction of
// text become escapes such as \u{1b}, stray bytes U+FFFD.
std::string printable(std::string_view text);

// The same on one line: line breaks and tabs become \n and \t.
std::string printable_line(std::string_view text);

// JSON text of the same meaning with those characters as \u escapes. `json` is well-formed.
std::string printable_json(std::string_view json);

}  // namespace cordon

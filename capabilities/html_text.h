#pragma once
// Text of anybody's within a page of HTML.

#include <string>
#include <string_view>

namespace cordon {

// `text` as content or as a quoted attribute: no character of it is markup. Control characters
// stay.
std::string html_escaped(std::string_view text);

}  // namespace cordon

#pragma once
// The case files' regular expressions: JavaScript's, over characters, ignoring case.

#include <string>
#include <string_view>

namespace cordon::cases {

// Whether `pattern` matches somewhere in `text`, both UTF-8. Throws Unknown for a pattern that is
// not understood.
bool matches(const std::string& pattern, std::string_view text);

}  // namespace cordon::cases

#pragma once
// How the case files say things in words: small helpers for matching prose.

#include <chrono>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace cordon::cases {

// At semicolons, white space trimmed, empty parts left out.
std::vector<std::string> clauses(const std::string& words);

// The whole text against an ECMAScript pattern that ignores case.
std::optional<std::smatch> says(const std::string& text, const std::string& pattern);

// "300", "ms" or "2", "seconds" or "a", "second".
std::chrono::milliseconds duration(const std::string& number, const std::string& unit);
// "64", "KiB" or "bytes".
std::size_t byte_count(const std::string& number, const std::string& unit);

inline const std::string kForEver =
    "(?:without (?:an )?end|for ?ever|endless(?:ly)?|without pause|until it ends)";

}  // namespace cordon::cases

#pragma once

#include <string>

namespace cordon::test {

// A path without ' in it, as one word of a shell script.
inline std::string shell_word(const std::string& path) { return "'" + path + "'"; }

}  // namespace cordon::test

#pragma once
// Names of calls. They are in every audit event, so the host alone chooses them and only plain
// characters are allowed.

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon {

// As hex digits. Throws Unavailable when the system has no random numbers.
std::string random_hex(std::size_t bytes);

// 1 to 128 letters, digits, '.', '_', ':' and '-'.
bool is_call_id(std::string_view text);

}  // namespace cordon

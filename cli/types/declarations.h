#pragma once
// The text of sandbox.d.ts, which the build puts into the command.

#include <string_view>

namespace cordon {

std::string_view guest_declarations();

}  // namespace cordon

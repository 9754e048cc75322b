#pragma once
// The guest's standard library, as text that the build bundles from prelude/ and core-js.

#include <string_view>

namespace cordon::engine {

// A classic script, ASCII only, whose completion value is the function `install` (see
// bindings.d.ts). Static storage; any thread.
std::string_view prelude_source();

}  // namespace cordon::engine

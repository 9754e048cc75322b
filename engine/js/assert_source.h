#pragma once
// The guest's built-in assert, as text that the build bundles from assert/ and the npm package.

#include <string_view>

namespace cordon::engine {

// An ES module, ASCII only. Static storage; any thread.
std::string_view assert_source();

}  // namespace cordon::engine

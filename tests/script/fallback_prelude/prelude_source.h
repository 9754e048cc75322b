#pragma once
// The least that the engine's tests need of a prelude, for builds without the real one.

#include <string_view>

namespace cordon::engine {

std::string_view prelude_source();

}  // namespace cordon::engine

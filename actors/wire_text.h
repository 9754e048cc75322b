#pragma once
// Text between C++ and Cap'n Proto: with its length, since it may hold NUL.

#include <capnp/blob.h>
#include <kj/string.h>

#include <string>
#include <string_view>

namespace cordon {

inline kj::StringPtr as_kj(const std::string& text) { return {text.c_str(), text.size()}; }
inline std::string_view as_view(capnp::Text::Reader text) { return {text.cStr(), text.size()}; }
inline std::string as_string(capnp::Text::Reader text) { return std::string(as_view(text)); }

}  // namespace cordon

#pragma once
// Tagged JSON text (see value_format.h) to values of the realm. Must run before guest code does, or
// at least on text of the host: it reads and defines own properties only and calls no guest code.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <string_view>

namespace cordon::engine {

// False, with an exception: a SyntaxError for what is not JSON, otherwise an Error that names the
// path (from `root`) of a malformed tag or of nesting over 1,000.
bool decode_value(JSContext* cx, std::string_view json, const char* root,
                  JS::MutableHandleValue value);

}  // namespace cordon::engine

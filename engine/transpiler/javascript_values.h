#pragma once
// The JavaScript values that swc's WebAssembly handles by number: its options on the way in, code
// and map on the way out. Only what it does with them is here; any other import is a trap.
//
// Everything lies in static memory: generated code may be abandoned at any instruction.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/transpiler/wasm_runtime.h"

namespace cordon::transpiler {

using Handle = std::uint32_t;

// Values made so far stay for ever: generated code has kept the names that it asks for.
void keep_values();

// Forgets all values that are not kept, then makes those of a request. `source` must outlive it.
struct Arguments {
  Handle source;
  Handle options;
};
Arguments make_arguments(std::string_view source);

// A property that generated code has given to the object `handle`; nothing when there is no such
// text. Valid until the next make_arguments().
struct Property {
  bool found = false;
  std::string_view text;
};
Property text_property(Handle handle, std::string_view name);

}  // namespace cordon::transpiler

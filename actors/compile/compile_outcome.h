#pragma once
// What an answer of esbuild means for the caller who asked.

#include <string_view>

#include "actors/compile/compiler_client.h"
#include "actors/compile/esbuild_protocol.h"

namespace cordon {

// `source` is what was compiled; error positions are counted in it and never lie outside.
Result<CompiledModule, CompileFailure> compile_outcome(std::string_view source,
                                                       esbuild::Answer answer);

// The place of byte `column` (0-based) in `line` (1-based; 0: unknown), as a person counts.
// Lines end at LF, CR, CR LF, U+2028 and U+2029, as in JavaScript. What is beyond the end, where
// the compiler saw the text that we append, is the end.
SourcePosition readable_position(std::string_view source, std::uint32_t line, std::uint32_t column);

}  // namespace cordon

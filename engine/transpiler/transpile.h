#pragma once
// TypeScript to JavaScript by swc, each source by a module in one and the same state: what one
// source has done to it is undone before the next.

#include <optional>
#include <string_view>

namespace cordon::transpiler {

// Valid until the next transpile().
struct Transpiled {
  std::string_view code;
  std::string_view map;  // JSON of a version 3 source map
};

// Makes the module and brings it into the state that every source finds. Once, before transpile().
// False when this machine cannot run it.
bool prepare();

// Nothing when swc has refused the source, has failed at it or was stopped. `source` is well-formed
// UTF-8.
std::optional<Transpiled> transpile(std::string_view source);

}  // namespace cordon::transpiler

#pragma once
// Whether a source is so plain that the quick compiler and esbuild surely make the same of it.
//
// The quick compiler only takes types away. What esbuild lowers for the engine (decorators,
// `using`, flag `v`), what the two print differently (enums, namespaces), what makes esbuild wrap a
// module
// (`exports`), and what would deceive whoever reads positions is not plain. Neither is anything
// that these few rules cannot read with certainty: a wrong "no" costs a millisecond, a wrong "yes"
// a wrong program.

#include <optional>
#include <string_view>

namespace cordon {

// What is not plain about `source`, in static words; nothing when it is plain. Takes time linear in
// its length and no memory.
std::optional<std::string_view> why_not_plain(std::string_view source);

// Whether the quick compiler may have renamed something in the `code` that it has made of `source`.
// It puts a number behind a local name that a global one is used beside, and functions and classes
// show their names. Names that end with a number anyway are taken for renamed when they do not
// occur as often as before: another wrong "yes" that costs a millisecond.
bool may_have_renamed(std::string_view source, std::string_view code);

}  // namespace cordon

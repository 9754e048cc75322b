#pragma once
// Tests as text that can stand in a function. Their scope is that of the program that they test, so
// they cannot be a module of their own, and yet they may import.

#include <string>
#include <string_view>

#include "messages/result.h"

namespace cordon {

// Makes a module of any source that it is appended to. Without it the compiler puts one that
// mentions `exports` or `module` into a function, as CommonJS has it, where tests could not see its
// names.
inline constexpr std::string_view kMakesModule = "\nexport {};";

// Why tests cannot be used.
struct TestsProblem {
  const char* message;  // static
};

// `code` is an ES module that was compiled with kMakesModule and CompileRequest::one_line_tokens.
// The result is the body of an async function: each import declaration has become an awaited
// import(), and every line is where it was.
Result<std::string, TestsProblem> tests_body(std::string_view code);

}  // namespace cordon

#pragma once
// Tests as text that can stand in a function. Their scope is that of the program that they test, so
// they cannot be a module of their own, and yet they may import.

#include <string>
#include <string_view>

#include "actors/compile/compiler_client.h"
#include "messages/result.h"

namespace cordon {

// Makes a module of any source that it is appended to. Without it the compiler puts one that
// mentions `exports` or `module` into a function, as CommonJS has it, where tests could not see its
// names.
inline constexpr std::string_view kMakesModule = "\nexport {};";

// A program that is to be tested, and its tests, as they are compiled.
CompileRequest tested_program(std::string source, bool experimental_decorators);
CompileRequest tests_of_program(std::string tests, bool experimental_decorators);

// Why tests cannot be used.
struct TestsProblem {
  const char* message;  // static
};

// `code` is an ES module that came of tests_of_program().
// The result is the body of an async function: each import declaration has become an awaited
// import(), and every line is where it was.
Result<std::string, TestsProblem> tests_body(std::string_view code);

}  // namespace cordon

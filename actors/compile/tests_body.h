#pragma once
// Tests as text that can stand in a function. Their scope is that of the program that they test, so
// they cannot be a module of their own, and yet they may import.

#include <string>
#include <string_view>

#include "messages/result.h"

namespace cordon {

// Why tests cannot be used.
struct TestsProblem {
  const char* message;  // static
};

// `code` is an ES module that was compiled with CompileRequest::one_line_tokens. The result is the
// body of an async function: each import declaration has become an awaited import(), and every line
// is where it was.
Result<std::string, TestsProblem> tests_body(std::string_view code);

}  // namespace cordon

#pragma once
// The guest's stack as people expect to read it: positions in the TypeScript source, the guest's
// own frames only.
//
// The raw text comes from the child. Nothing in it is believed but for what it says about the
// guest's own code, whose author could have thrown any text anyway; it is bounded and cannot break
// out of its lines.

#include <functional>
#include <string>
#include <string_view>

#include "actors/compile/source_map.h"

namespace cordon {

inline constexpr std::string_view kTestsName = "tests.ts";
// Lines that the engine puts before the tests' own.
inline constexpr std::uint32_t kLinesBeforeTests = 1;

// The files whose frames are shown, by the names under which the engine compiled them.
struct StackSources {
  std::string_view main;           // the main module; also its name in the result
  const SourceMap* map = nullptr;  // of the main module; without it positions are left out
  std::function<bool(std::string_view)> is_module;  // a specifier that the host has granted
  // Tests run as the text of an eval() whose code has this name; empty when there are none. They
  // are shown as kTestsName.
  std::string tests = {};
  const SourceMap* tests_map = nullptr;
};

// `raw` is SpiderMonkey's: lines of `function@file:line:column`, perhaps with `async*` in front or
// ` line 3 > eval` behind the file. The result is
//
//   Name: message
//       at function (main.ts:3:10)
//       at main.ts:7:1
//
// with at most 50 frames, frames of other files (the runtime's own) left out, and control
// characters escaped. The engine counts columns in code points: behind characters outside the basic
// plane a column may lie a little to the left.
std::string render_stack(std::string_view name, std::string_view message, std::string_view raw,
                         const StackSources& sources);

}  // namespace cordon

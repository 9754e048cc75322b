#pragma once
// A program in a directory of its own, run by the real command there.

#include <catch2/catch.hpp>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/cli/support/command.h"
#include "tests/cli/support/temporary_directory.h"

namespace cordon::test {

class Scene {
 public:
  explicit Scene(std::string_view source) { directory_.write("main.ts", source); }

  const TemporaryDirectory& directory() const { return directory_; }

  Invocation invocation(std::vector<std::string> flags = {},
                        const std::vector<std::string>& arguments = {}) const {
    flags.insert(flags.begin(), {"run", "main.ts"});
    if (!arguments.empty()) flags.emplace_back("--");
    flags.insert(flags.end(), arguments.begin(), arguments.end());
    return {.arguments = std::move(flags), .working_directory = directory_.path()};
  }

  Finished run(std::vector<std::string> flags = {},
               const std::vector<std::string>& arguments = {}) const {
    return run_cordon(invocation(std::move(flags), arguments));
  }

 private:
  TemporaryDirectory directory_;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Makes CTest report the test as skipped.
inline void say_skipped(const std::string& why) {
  std::cout << "cordon-test-skipped: " << why << std::endl;
}

// Whether this host can enforce the sandbox.
inline bool have_sandbox() {
  const Finished probe = Scene("export default () => 1;").run();
  if (probe.code != 3) return true;
  say_skipped(probe.err);
  return false;
}

#define REQUIRE_SANDBOX() \
  if (!cordon::test::have_sandbox()) return

}  // namespace cordon::test

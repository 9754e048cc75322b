#pragma once
// All cases of a file, each judged by a process of its own.

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "tests/cases/runner/case_file.h"
#include "tests/cases/runner/disputed.h"

namespace cordon::cases {

// Of a process that judges one case.
inline constexpr int kExitPassed = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitSkipped = 77;

// Prints what each prints and at last "N passed, N failed, N skipped"; whether none failed.
// `command`: what judges a case when "--case ID" is added.
bool run_all(const std::vector<Case>& cases, const std::vector<std::string>& command, int parallel);

// CMake code for CTest: one test a case. A disputed one passes as long as it fails as disputed.
void print_ctest_entries(const std::vector<Case>& cases, const Disputed& disputed,
                         const std::filesystem::path& runner, const std::filesystem::path& file,
                         std::ostream& out);

}  // namespace cordon::cases

#pragma once
// Where Cordon's other executables are.

#include <cordon/runtime.h>

#include <filesystem>

namespace cordon {

// As RuntimeOptions::engine_directory says. Empty when this program's own file is not known.
std::filesystem::path engine_directory(const RuntimeOptions& options);

}  // namespace cordon

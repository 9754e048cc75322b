#pragma once
// Where cordon-engine and the compilers are when nobody says.

#include <filesystem>

namespace cordon {

// Beside the running executable, or where an installed package has them: relative to the shared
// library that holds this function, or to the executable that does. The first that has an engine;
// with none, the executable's directory, so that the error names it.
std::filesystem::path default_engine_directory();

}  // namespace cordon

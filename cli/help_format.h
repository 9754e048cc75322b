#pragma once
// How `--help` looks: flags as they are typed, "--flag=VALUE".

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace cordon {

std::shared_ptr<CLI::Formatter> help_format();

}  // namespace cordon

#pragma once
// What the kernel needs besides a program's own file to execute it: the loader of an ELF file, the
// interpreter of a script.

#include <map>
#include <string>
#include <vector>

namespace cordon {

struct ProgramFiles {
  // Canonical paths. `programs` begins with the program itself, and goes on with the interpreters
  // of scripts, the one that `/usr/bin/env NAME` finds included.
  std::vector<std::string> programs;
  // As the programs name them, links unresolved.
  std::vector<std::string> interpreters;
  std::vector<std::string> loaders;
};

// `path` is canonical; `environment` is the command's, for its PATH. What cannot be read or found
// is left out: executing it fails then. Throws std::system_error for a shortage (shortage.h).
ProgramFiles files_of_program(const std::string& path,
                              const std::map<std::string, std::string>& environment);

}  // namespace cordon

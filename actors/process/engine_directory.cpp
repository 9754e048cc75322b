#include "actors/process/engine_directory.h"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace cordon {

namespace {

std::filesystem::path executable_directory() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : self.parent_path();
}

// Of the shared library that this code is in; empty when it is in the executable.
std::filesystem::path library_directory() {
  Dl_info info{};
  link_map* map = nullptr;
  const auto* const here = reinterpret_cast<const void*>(&library_directory);
  if (::dladdr1(here, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return {};
  // The executable's own entry has no name.
  if (map == nullptr || map->l_name == nullptr || *map->l_name == '\0') return {};
  std::error_code error;
  const auto file = std::filesystem::canonical(map->l_name, error);
  return error ? std::filesystem::path() : file.parent_path();
}

bool has_engine(const std::filesystem::path& directory) {
  std::error_code error;
  return std::filesystem::is_regular_file(directory / "cordon-engine", error);
}

}  // namespace

std::filesystem::path default_engine_directory() {
  const auto executable = executable_directory();
  if (has_engine(executable)) return executable;
  const auto library = library_directory();
  const auto installed =
      (library.empty() ? executable / CORDON_LIBEXEC_FROM_BIN : library / CORDON_LIBEXEC_FROM_LIB)
          .lexically_normal();
  return has_engine(installed) ? installed : executable;
}

}  // namespace cordon

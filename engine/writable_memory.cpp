#include "engine/writable_memory.h"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace cordon::engine {

namespace {

constexpr std::size_t kMaxMapping = std::size_t{64} << 20;  // larger ones are reservations

}  // namespace

std::vector<PageRange> writable_memory() {
  std::vector<PageRange> mappings;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::string access;
    fields >> std::hex >> begin >> dash >> end >> access;
    if (access != "rw-p" || end - begin > kMaxMapping) continue;
    mappings.push_back({reinterpret_cast<std::byte*>(begin), end - begin});
  }
  return mappings;
}

}  // namespace cordon::engine

#include "benchmarks/paths/path.h"

namespace cordon::paths {

std::vector<Path> all_paths() {
  std::vector<Path> all;
  for (const auto& part :
       {message_paths(), value_paths(), grant_paths(), audit_paths(), compile_paths()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace cordon::paths

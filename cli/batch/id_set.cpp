#include "cli/batch/id_set.h"

#include <algorithm>

#include "audit/sha256.h"

namespace cordon::batch {

IdSet::Hash IdSet::hash(std::string_view id) {
  Sha256 whole;
  whole.update(id);
  const auto digest = whole.finish();
  Hash shortened{};
  std::copy_n(digest.begin(), shortened.size(), shortened.begin());
  return shortened;
}

}  // namespace cordon::batch

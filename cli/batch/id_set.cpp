#include "cli/batch/id_set.h"

#include <openssl/evp.h>

#include <algorithm>
#include <new>

namespace cordon::batch {

IdSet::Hash IdSet::hash(std::string_view id) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(id.data(), id.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();
  }
  Hash shortened{};
  std::copy_n(digest.begin(), shortened.size(), shortened.begin());
  return shortened;
}

}  // namespace cordon::batch

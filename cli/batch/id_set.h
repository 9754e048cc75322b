#pragma once
// Ids that were seen. Keeps 16 bytes of a collision-resistant hash of each, so that a hundred
// thousand take a few megabytes however long they are.

#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <unordered_set>

namespace cordon::batch {

class IdSet {
 public:
  // False when it was there already.
  bool insert(std::string_view id) { return ids_.insert(hash(id)).second; }
  bool contains(std::string_view id) const { return ids_.contains(hash(id)); }
  // False when it was not there.
  bool erase(std::string_view id) { return ids_.erase(hash(id)) == 1; }

 private:
  using Hash = std::array<unsigned char, 16>;
  struct FirstBytes {
    std::size_t operator()(const Hash& hash) const noexcept {
      std::size_t first = 0;
      std::memcpy(&first, hash.data(), sizeof first);
      return first;
    }
  };
  static Hash hash(std::string_view id);

  std::unordered_set<Hash, FirstBytes> ids_;
};

}  // namespace cordon::batch

#pragma once
// Modules that were compiled lately, by the hash of what they were compiled from: a program that
// runs again and again is compiled once. Memory is bounded; the least recently used go first.

#include <array>
#include <cstddef>
#include <list>
#include <map>
#include <optional>

#include "actors/compile/compiler_client.h"

namespace cordon {

// Not thread-safe.
class CompileCache {
 public:
  static constexpr std::size_t kMaxSourceBytes = std::size_t{64} << 10;  // longer ones are not kept
  static constexpr std::size_t kMaxCodeBytes = std::size_t{256} << 10;   // nor with longer code
  static constexpr std::size_t kMaxModules = 64;

  // A collision-resistant hash of the whole request. Nothing when its module is not to be kept.
  using Key = std::array<unsigned char, 32>;
  static std::optional<Key> key(const CompileRequest& request);

  std::optional<CompiledModule> find(const Key& key);
  void store(const Key& key, const CompiledModule& module);

 private:
  struct Entry {
    Key key;
    CompiledModule module;
  };
  std::list<Entry> entries_;  // most recently used first
  std::map<Key, std::list<Entry>::iterator> index_;
};

}  // namespace cordon

#include "actors/compile/compile_cache.h"

#include <string_view>

#include "audit/sha256.h"

namespace cordon {

std::optional<CompileCache::Key> CompileCache::key(const CompileRequest& request) {
  if (request.source.size() > kMaxSourceBytes) return std::nullopt;
  const char options =
      static_cast<char>((request.experimental_decorators ? 1U : 0U) |
                        (request.one_line_tokens ? 2U : 0U) | (request.by_esbuild ? 4U : 0U));
  Sha256 hash;
  hash.update(std::string_view(&options, 1));
  hash.update(request.source);
  return hash.finish();
}

std::optional<CompiledModule> CompileCache::find(const Key& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->module;
}

void CompileCache::store(const Key& key, const CompiledModule& module) {
  if (module.code.size() > kMaxCodeBytes || index_.contains(key)) return;
  if (entries_.size() == kMaxModules) {
    index_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, module});
  index_.emplace(key, entries_.begin());
}

}  // namespace cordon

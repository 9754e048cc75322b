#include "actors/compile/compile_cache.h"

#include <openssl/evp.h>

#include <memory>
#include <new>

namespace cordon {

std::optional<CompileCache::Key> CompileCache::key(const CompileRequest& request) {
  if (request.source.size() > kMaxSourceBytes) return std::nullopt;
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> hash(EVP_MD_CTX_new(),
                                                                     EVP_MD_CTX_free);
  const unsigned char options = static_cast<unsigned char>(
      (request.experimental_decorators ? 1U : 0U) | (request.one_line_tokens ? 2U : 0U) |
      (request.by_esbuild ? 4U : 0U));
  Key key{};
  if (!hash || EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr) != 1 ||
      EVP_DigestUpdate(hash.get(), &options, 1) != 1 ||
      EVP_DigestUpdate(hash.get(), request.source.data(), request.source.size()) != 1 ||
      EVP_DigestFinal_ex(hash.get(), key.data(), nullptr) != 1) {
    throw std::bad_alloc();
  }
  return key;
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

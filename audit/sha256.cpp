#include "audit/sha256.h"

#include <openssl/evp.h>

#include <stdexcept>

namespace cordon {

namespace {

void require(bool done) {
  if (!done) throw std::runtime_error("SHA-256 is not available");
}

// Fetched once: looking it up takes longer than hashing a line of a log.
const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = ::EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return fetched;
}

}  // namespace

void Sha256::FreeContext::operator()(evp_md_ctx_st* context) const noexcept {
  ::EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(::EVP_MD_CTX_new()) {
  const EVP_MD* const md = algorithm();
  require(context_ && md != nullptr && ::EVP_DigestInit_ex(context_.get(), md, nullptr) == 1);
}

void Sha256::update(std::string_view bytes) {
  require(::EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

Sha256::Digest Sha256::finish() {
  Digest digest{};
  require(::EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
  return digest;
}

std::string hex(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const unsigned char byte : bytes) (text += kDigits[byte >> 4]) += kDigits[byte & 15];
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hex(hash.finish());
}

}  // namespace cordon

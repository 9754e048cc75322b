#include "audit/signature.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "audit/sha256.h"

namespace cordon {

namespace {

constexpr std::size_t kSignatureBytes = 64;
constexpr std::size_t kKeyNameDigits = 16;
constexpr std::string_view kSignature = " signature=";

using Signature = std::array<unsigned char, kSignatureBytes>;

struct CloseBio {
  void operator()(BIO* bio) const noexcept { BIO_free_all(bio); }
};
struct FreeContext {
  void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

// What is signed: the place in the chain, and through `prev` everything before it.
std::string statement(std::uint64_t seq, std::int64_t timestamp, std::string_view prev) {
  return "cordon audit checkpoint 1\nseq " + std::to_string(seq) + "\ntimestamp " +
         std::to_string(timestamp) + "\nprev " + std::string(prev) + "\n";
}

// The beginning of the SHA-256 of the raw public key: tells keys apart, vouches for nothing.
std::string key_name(EVP_PKEY* key) {
  std::array<unsigned char, 32> raw{};
  std::size_t size = raw.size();
  if (EVP_PKEY_get_raw_public_key(key, raw.data(), &size) != 1) return {};
  return sha256_hex({reinterpret_cast<const char*>(raw.data()), size}).substr(0, kKeyNameDigits);
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// A password would have to be typed by somebody.
int no_password(char*, int, int, void*) { return -1; }

using ReadPem = EVP_PKEY* (*)(BIO*, EVP_PKEY**, pem_password_cb*, void*);

Result<Key, std::string> load_key(const std::filesystem::path& path, ReadPem read,
                                  const char* what) {
  const std::string name = path.string() + ": ";
  const std::unique_ptr<BIO, CloseBio> file(BIO_new_file(path.c_str(), "rb"));
  if (!file) return name + "cannot be opened: " + std::strerror(errno);
  Key key(read(file.get(), nullptr, no_password, nullptr));
  if (!key) return name + "it holds no " + what + " in PEM form, or one with a password";
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_ED25519) return name + "it is no Ed25519 key";
  return key;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<Signature> signature_of(const SandboxAuditEvent& checkpoint) {
  if (!checkpoint.reason) return std::nullopt;
  const std::string_view reason = *checkpoint.reason;
  const std::size_t at = reason.find(kSignature);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view text = reason.substr(at + kSignature.size());
  if (text.size() != 2 * kSignatureBytes) return std::nullopt;
  Signature signature{};
  for (std::size_t i = 0; i < kSignatureBytes; ++i) {
    const int high = digit(text[2 * i]);
    const int low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    signature[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return signature;
}

}  // namespace

void FreeKey::operator()(evp_pkey_st* key) const noexcept { EVP_PKEY_free(key); }

Result<SigningKey, std::string> SigningKey::load(const std::filesystem::path& path) {
  auto key = load_key(path, PEM_read_bio_PrivateKey, "private key");
  if (!key) return key.error();
  return SigningKey(std::move(*key));
}

std::string SigningKey::signed_reason(std::uint64_t seq, std::int64_t timestamp,
                                      std::string_view prev) const {
  const std::string text = statement(seq, timestamp, prev);
  const Context context(EVP_MD_CTX_new());
  Signature signature{};
  std::size_t size = signature.size();
  if (!context || EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size, bytes_of(text), text.size()) != 1) {
    throw std::runtime_error("Ed25519 is not available");
  }
  return "key=" + key_name(key_.get()) + std::string(kSignature) + hex(signature);
}

Result<PublicKey, std::string> PublicKey::load(const std::filesystem::path& path) {
  auto key = load_key(path, PEM_read_bio_PUBKEY, "public key");
  if (!key) return key.error();
  return PublicKey(std::move(*key));
}

bool PublicKey::signed_by(const SandboxAuditEvent& checkpoint) const {
  const auto signature = signature_of(checkpoint);
  if (!signature) return false;
  const std::string text = statement(checkpoint.seq, checkpoint.timestamp, checkpoint.prev);
  const Context context(EVP_MD_CTX_new());
  return context &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature->data(), signature->size(), bytes_of(text),
                          text.size()) == 1;
}

bool is_signed(const SandboxAuditEvent& checkpoint) {
  return checkpoint.reason && checkpoint.reason->find(kSignature) != std::string::npos;
}

}  // namespace cordon

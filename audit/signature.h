#pragma once
// Ed25519 keys that vouch for checkpoints. A private key signs in the process that writes the log;
// whoever verifies needs the public one alone.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <cordon/audit_event.h>

#include "messages/result.h"

struct evp_pkey_st;

namespace cordon {

struct FreeKey {
  void operator()(evp_pkey_st* key) const noexcept;
};
using Key = std::unique_ptr<evp_pkey_st, FreeKey>;

// Immutable, thread-safe.
class SigningKey {
 public:
  // A PEM file, as `openssl genpkey -algorithm ed25519` writes it, without a password.
  static Result<SigningKey, std::string> load(const std::filesystem::path& path);
  // The `reason` of a checkpoint that has this place in the chain.
  std::string signed_reason(std::uint64_t seq, std::int64_t timestamp, std::string_view prev) const;

 private:
  explicit SigningKey(Key key) : key_(std::move(key)) {}
  Key key_;
};

// Immutable, thread-safe.
class PublicKey {
 public:
  // A PEM file, as `openssl pkey -pubout` writes it.
  static Result<PublicKey, std::string> load(const std::filesystem::path& path);
  // Whether `checkpoint` carries this key's signature for its place in the chain.
  bool signed_by(const SandboxAuditEvent& checkpoint) const;

 private:
  explicit PublicKey(Key key) : key_(std::move(key)) {}
  Key key_;
};

// Whether it carries a signature, good or bad.
bool is_signed(const SandboxAuditEvent& checkpoint);

}  // namespace cordon

#pragma once
// Ed25519 keys for tests, made afresh.

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace cordon::test {

struct KeyFiles {
  std::filesystem::path secret;
  std::filesystem::path open;
};

// Writes NAME.pem and NAME.pub.pem.
inline KeyFiles make_keys(const std::filesystem::path& name, const char* algorithm = "ED25519") {
  KeyFiles files{name.string() + ".pem", name.string() + ".pub.pem"};
  EVP_PKEY* const key = EVP_PKEY_Q_keygen(nullptr, nullptr, algorithm);
  if (key == nullptr) throw std::runtime_error("no such key");
  std::FILE* const secret = std::fopen(files.secret.c_str(), "w");
  std::FILE* const open = std::fopen(files.open.c_str(), "w");
  PEM_write_PrivateKey(secret, key, nullptr, nullptr, 0, nullptr, nullptr);
  PEM_write_PUBKEY(open, key);
  std::fclose(secret);
  std::fclose(open);
  EVP_PKEY_free(key);
  return files;
}

}  // namespace cordon::test

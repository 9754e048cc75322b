#pragma once
// SHA-256, and digests as they stand in a log.

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace cordon {

// Of bytes that come in pieces. Not thread-safe. Throws std::runtime_error where the library has no
// SHA-256 or no memory.
class Sha256 {
 public:
  using Digest = std::array<unsigned char, 32>;

  Sha256();
  void update(std::string_view bytes);
  // Once.
  Digest finish();

 private:
  struct FreeContext {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_md_ctx_st, FreeContext> context_;
};

// Lower-case hexadecimal, two digits a byte.
std::string hex(std::span<const unsigned char> bytes);

// SHA-256 of `bytes`, as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace cordon

#pragma once
// Keeps secret values out of audit text.
//
// Hidden is every occurrence of a secret in these forms, letter case ignored throughout, since host
// names arrive in lower case: as it stands, as base64 or base64url at any alignment within a longer
// encoded text, as hex; each of them with any characters percent-encoded, up to three times over,
// and `+` for a space. A secret of more than 64 characters is hidden in pieces of 64, so a long
// part of it is hidden as well. Hiding too much is harmless, hiding too little is not.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "audit/needle.h"

namespace cordon {

// Immutable, thread-safe.
class Redactor {
 public:
  // Shorter secrets occur in texts by chance.
  static constexpr std::size_t kMinSecretBytes = 4;
  // What is beyond this length of an input is not looked at and not shown.
  static constexpr std::size_t kMaxInputBytes = std::size_t{64} << 10;

  Redactor() = default;
  // Throws std::invalid_argument for a secret under kMinSecretBytes.
  explicit Redactor(const std::vector<std::string>& secrets);

  // `text` with `[redacted]` for each secret, made visible and capped (visible_text.h): fit for a
  // field of an audit event. Takes any bytes; time grows with the length, not with the content.
  std::string text(std::string_view text) const;

 private:
  void add(const std::vector<std::string>& units);

  std::vector<Needle> needles_;
};

}  // namespace cordon

#pragma once
// Grants as JSON policy: the same fields as the C++ structs, in camelCase (docs: options.h).
//
// Strict: an unknown or repeated field, a value of the wrong kind and a number that is not a
// positive whole one are errors that name the field and say what would be accepted. Secret values
// appear in no error.

#include <cordon/options.h>
#include <string>
#include <string_view>

namespace cordon {

inline constexpr std::size_t kMaxPolicyBytes = std::size_t{16} << 20;

// Resolves secrets given as {"env": NAME}, {"file": PATH} or {"fd": N}. Checks the form only:
// whether the options can be used is for Authority::validate. Throws InvalidOption, whose field is
// "policy" when the text is not a JSON object at all.
AISandboxOptions policy_from_json(std::string_view text);

// Too short to be a secret's value, so it is never mistaken for one.
inline constexpr std::string_view kMaskedSecret = "***";

enum class SecretMask : bool {
  kMasked,  // every secret value is kMaskedSecret
  kShown,
};

// Indented JSON with every field, defaults included. With kShown it reads back as the same options.
std::string options_to_json(const AISandboxOptions& options, SecretMask mask);

}  // namespace cordon

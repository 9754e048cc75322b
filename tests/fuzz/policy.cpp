// Policy JSON: options or InvalidOption, never another end; what is read is written and read alike.

#include "capabilities/policy_json.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string once;
  try {
    once = options_to_json(policy_from_json(fuzz::as_text(data, size)), SecretMask::kShown);
  } catch (const InvalidOption& problem) {
    fuzz::require(*problem.what() != '\0', "a refusal without a reason");
    return 0;
  }
  try {
    const std::string twice = options_to_json(policy_from_json(once), SecretMask::kShown);
    fuzz::require(once == twice, "a written policy reads differently");
  } catch (const InvalidOption&) {
    fuzz::require(false, "a written policy cannot be read");
  }
  return 0;
}

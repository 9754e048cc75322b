#pragma once
// Planted texts that must not turn up anywhere.

#include <random>
#include <string>

namespace cordon::test {

// Nobody else's text, and in no program: made anew on each run.
inline std::string canary(const char* name) {
  std::random_device random;
  return std::string("canary-") + name + "-" + std::to_string(random()) + std::to_string(random());
}

// As which a text is told to those who look for it: the telling is no find.
inline std::string reversed(const std::string& text) { return {text.rbegin(), text.rend()}; }

}  // namespace cordon::test

#pragma once
// The fixture `racer`: a host thread that changes files without pause while the call runs.

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

namespace cordon::cases {

class Racer {
 public:
  // Runs from now until destruction. Throws Unknown for a wording without a known meaning.
  Racer(const std::string& words, const std::filesystem::path& root);

 private:
  std::jthread thread_;
};

}  // namespace cordon::cases

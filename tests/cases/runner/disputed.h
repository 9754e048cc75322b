#pragma once
// Cases that contradict the contract: they are run and fail, and the reason stands beside them.

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

namespace cordon::cases {

using Disputed = std::map<std::string, std::string>;  // id → why

// Lines "ID: why"; those that begin with # and empty ones are comments.
inline Disputed read_disputed(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  Disputed disputed;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos)
      throw std::runtime_error(file.string() + ": no reason: " + line);
    disputed.emplace(line.substr(0, colon), line.substr(colon + 2));
  }
  return disputed;
}

}  // namespace cordon::cases

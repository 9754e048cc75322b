#pragma once
// Random numbers: bytes of the system's generator, and Math.random seeded from it.
//
// All children of one zygote share the engine's memory: what they draw must come from a seed that
// each takes after the fork.

#include <array>
#include <cstdint>
#include <span>

namespace cordon::engine {

// Fills `bytes` from getrandom.
void fill_random(std::span<std::uint8_t> bytes);

// xoshiro256++: quick, and good enough for what Math.random promises.
class RandomSource {
 public:
  RandomSource() { reseed(); }

  void reseed();
  // The same numbers for the same seed.
  void seed(std::uint64_t seed) noexcept;
  // In [0, 1), 53 bits.
  double next() noexcept;

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace cordon::engine

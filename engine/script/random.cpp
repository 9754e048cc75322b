#include "engine/script/random.h"

#include <sys/random.h>

#include <bit>
#include <cerrno>
#include <cstdlib>

namespace cordon::engine {

void fill_random(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::getrandom(bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) std::abort();  // nothing here may run on predictable numbers
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void RandomSource::reseed() {
  fill_random({reinterpret_cast<std::uint8_t*>(state_.data()), sizeof state_});
}

// splitmix64, as the authors of xoshiro advise for filling its state.
void RandomSource::seed(std::uint64_t seed) noexcept {
  for (std::uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    word = mixed ^ (mixed >> 31);
  }
}

double RandomSource::next() noexcept {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return static_cast<double>(result >> 11) * 0x1.0p-53;
}

}  // namespace cordon::engine

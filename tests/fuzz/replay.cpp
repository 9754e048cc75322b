// A fuzz target without a fuzzer, for regression: replay DIRECTORY... feeds every seed, each of its
// beginnings up to a limit, and some mutations that are the same on every run.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "tests/fuzz/fuzz_target.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kMaxBeginnings = 64;
constexpr int kMutations = 64;

Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void feed(const Bytes& bytes) { LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

void feed_mutations(const Bytes& seed, std::mt19937& random) {
  if (seed.empty()) return;
  for (int i = 0; i < kMutations; ++i) {
    Bytes mutant = seed;
    for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) {
      mutant[random() % mutant.size()] = static_cast<std::uint8_t>(random());
    }
    feed(mutant);
  }
}

void feed_all_of(const Bytes& seed, std::mt19937& random) {
  feed(seed);
  const std::size_t step = seed.size() / kMaxBeginnings + 1;
  for (std::size_t size = 0; size < seed.size(); size += step) {
    feed(Bytes(seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  feed_mutations(seed, random);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> seeds;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      seeds.push_back(entry.path());
    }
  }
  std::sort(seeds.begin(), seeds.end());
  std::mt19937 random(4'711);
  for (const auto& seed : seeds) feed_all_of(read_bytes(seed), random);
  std::printf("%zu seeds\n", seeds.size());
  return seeds.empty() ? 1 : 0;
}

#pragma once
// When calls of an open loop are due: at times that do not depend on how the earlier ones fare.

#include <chrono>
#include <cstdint>
#include <random>

namespace cordon::load {

enum class ArrivalKind : std::uint8_t {
  kConstant,  // the same time apart
  kPoisson,   // each as likely at any time: what many independent callers come to
};
const char* to_string(ArrivalKind kind) noexcept;  // "constant", "poisson"

// Deterministic: the same rate, kind and seed give the same times on every machine.
class Arrivals {
 public:
  // `per_second` is a finite number above 0; throws std::invalid_argument otherwise.
  Arrivals(double per_second, ArrivalKind kind, std::uint64_t seed);

  // Since the start. Never falls, and does not drift: the n-th of a constant rate is at n / rate.
  std::chrono::nanoseconds next();

 private:
  double per_second_;
  ArrivalKind kind_;
  std::mt19937_64 random_;
  std::uint64_t number_ = 0;
  double seconds_ = 0;
};

}  // namespace cordon::load

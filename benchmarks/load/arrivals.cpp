#include "benchmarks/load/arrivals.h"

#include <cmath>
#include <stdexcept>

namespace cordon::load {
namespace {

// The standard library's distributions differ between implementations, its generators do not.
double uniform(std::mt19937_64& random) {  // from 0, below 1
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

}  // namespace

const char* to_string(ArrivalKind kind) noexcept {
  return kind == ArrivalKind::kConstant ? "constant" : "poisson";
}

Arrivals::Arrivals(double per_second, ArrivalKind kind, std::uint64_t seed)
    : per_second_(per_second), kind_(kind), random_(seed) {
  if (!std::isfinite(per_second) || per_second <= 0) {
    throw std::invalid_argument("a rate must be a finite number above 0");
  }
}

std::chrono::nanoseconds Arrivals::next() {
  if (kind_ == ArrivalKind::kConstant) {
    seconds_ = static_cast<double>(number_++) / per_second_;
  } else {
    seconds_ += -std::log1p(-uniform(random_)) / per_second_;
  }
  return std::chrono::nanoseconds(std::llround(seconds_ * 1e9));
}

}  // namespace cordon::load

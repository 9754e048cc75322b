#include "benchmarks/load/tally.h"

#include <algorithm>

namespace cordon::load {

void Tally::add(const CallResult& call) {
  kinds.resize(std::max(kinds.size(), call.kind + 1));
  for (const double sample : call.samples) kinds[call.kind].record(sample);
  child_cpu_ms += call.child_cpu_ms;
  ++calls;
}

Histogram Tally::all() const {
  Histogram all;
  for (const Histogram& kind : kinds) all.merge(kind);
  return all;
}

}  // namespace cordon::load

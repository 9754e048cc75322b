#pragma once
// Figures of one runtime, to be read at any time and to be scraped. Counters only grow.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cordon {

// How many values fell where.
struct Histogram {
  std::vector<double> bounds = {};         // upper ends, inclusive, rising
  std::vector<std::uint64_t> counts = {};  // a value is in one: of the first bound that holds it,
                                           // or the last, which has none
  double sum = 0;                          // of all values
  std::uint64_t count = 0;                 // of values
};

struct Metrics {
  // Of calls that have ended, in any pool; what spawn_sandbox() made is in none.
  std::map<std::string, std::uint64_t> calls = {};  // by status: "ok", ...; every status is there
  Histogram queue_seconds = {};                     // from the request to the start
  Histogram call_seconds = {};                      // from the start to the outcome
  Histogram cpu_seconds = {};                       // of the child
  Histogram peak_memory_bytes = {};                 // of the child
  std::uint64_t bytes_in = 0;                       // frames to children
  std::uint64_t bytes_out = 0;                      // frames from children

  // Of calls that were not started: "busy", "shut down", "invalid options".
  std::map<std::string, std::uint64_t> refused_calls = {};

  // By capability, as in the audit.
  std::map<std::string, std::uint64_t> operations = {};  // performed, failures included
  std::map<std::string, std::uint64_t> denials = {};  // refused; limits that ended a call as well

  // At this moment.
  std::uint64_t running_calls = 0;
  std::uint64_t waiting_calls = 0;
  std::uint64_t children_alive = 0;  // with a call; children that wait for one are not counted
};

// The Prometheus text format, version 0.0.4. Names begin with `cordon_`.
std::string to_prometheus(const Metrics& metrics);

}  // namespace cordon

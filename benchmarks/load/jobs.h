#pragma once
// The calls that Cordon is measured by, and what each must come to.

#include <cordon/sandbox.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::load {

struct JobSettings {
  std::uint64_t round_trips = 1000;  // of one call of J2
  std::filesystem::path data_file;   // J7 reads it; kDataFileBytes of ASCII
};
inline constexpr std::size_t kDataFileBytes = std::size_t{1} << 20;

struct Job {
  std::string_view unit = "ms";
  std::string_view program;
  AISandboxOptions options = {};
  Value arguments = Value::from_json("[]");
  Status status = Status::kOk;   // how every call must end
  std::string result = {};       // and its result's JSON text, where it is ok
  std::string capability = {};   // and what was refused, where it is not
  std::size_t timed_inside = 0;  // so many times come with the result: [result, times]
  bool spare_waits = false;      // each call finds a child that was forked before
  std::chrono::milliseconds pause{0};
};

// `name` is J1, J1w, J2, J3, J5, J6 or J7. Throws std::invalid_argument for any other.
Job make_job(std::string_view name, const JobSettings& settings);
// J3 with a tenth of the work.
Job make_short_compute();
// Asks for an environment variable that is not granted, and does not catch the refusal.
Job make_denial();

// A call ended in another way than it has to: what was measured is worth nothing.
class WrongResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws WrongResult. Returns the times that came with the result.
std::vector<double> check_call(const Job& job, const Outcome& outcome);

}  // namespace cordon::load

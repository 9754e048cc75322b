#pragma once
// The jobs that Cordon is measured by. Every call has a sandbox and a source text of its own, and
// its result is checked.

#include <cordon/sandbox.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cordon::load {

// What a job measures, for people.
struct JobTitle {
  std::string_view name;  // "J1"
  std::string_view text;
};
std::span<const JobTitle> job_titles();
// The jobs that measure memory: they keep sandboxes alive instead of calling in a loop.
inline constexpr std::string_view kMemoryJob = "J4";
inline constexpr std::string_view kSpareMemoryJob = "J4w";

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
  std::size_t timed_inside = 0;  // so many samples come with the result: [result, samples]
  bool spare_waits = false;      // each call finds a child that was forked before
  std::chrono::milliseconds pause{0};
};

// `name` is one of job_titles() that calls in a loop. Throws std::invalid_argument for any other.
Job make_job(std::string_view name, const JobSettings& settings);

// A call ended in another way than it has to: what was measured is worth nothing.
class WrongResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The call's samples, in the job's unit. `took_ms` is what the caller's clock says. Throws
// WrongResult.
std::vector<double> check_call(const Job& job, const Outcome& outcome, double took_ms);

}  // namespace cordon::load

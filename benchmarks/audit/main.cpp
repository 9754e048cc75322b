// What the audit trail costs: events a second for each sink and level of durability, and how long a
// trail takes to be verified and asked.
//
//   audit-benchmark DIRECTORY [EVENTS]
//
// Writes to DIRECTORY, whose disk is what is measured, and leaves the trail of EVENTS (1,000,000)
// there as `trail` and `trail.db`.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "audit/audit_log.h"
#include "audit/event_reader.h"
#include "audit/event_statistics.h"
#include "audit/verify.h"

namespace {

using Clock = std::chrono::steady_clock;
using Record = cordon::AuditLog::Record;

constexpr double kSeconds = 2;  // for each way of writing
constexpr std::size_t kImportBatch = 1000;

Record record(std::uint64_t number) {
  static constexpr const char* kCapabilities[] = {"filesystem.read", "environment", "network",
                                                  "secret"};
  const std::string sandbox = "bench-" + std::to_string(number / 100);
  const std::string target = "/srv/data/" + std::to_string(number % 5000) + ".txt";
  return Record::build([&](cordon::wire::AuditRecord::Builder out) {
    out.setSandbox(sandbox.c_str());
    out.setCapability(kCapabilities[number % 4]);
    out.setTarget(target.c_str());
    out.setOutcome(number % 10 == 0 ? cordon::wire::AuditOutcome::DENIED
                                    : cordon::wire::AuditOutcome::USED);
    out.setDurationUs(static_cast<std::int64_t>(number % 700));
    out.setBytes(number % 4 == 0 ? 4096 : -1);
    out.setCount(-1);
  });
}

cordon::AuditLog open(cordon::AuditLogOptions options) {
  options.writer = "benchmark";
  auto log = cordon::AuditLog::open(std::move(options));
  if (log) return std::move(*log);
  std::fprintf(stderr, "audit-benchmark: %s\n", log.error().c_str());
  std::exit(2);
}

// Of the clock on the wall and of this process's CPU time, which a busy machine does not stretch.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - wall_).count(); }
  double cpu_seconds() const {
    return static_cast<double>(std::clock() - cpu_) / static_cast<double>(CLOCKS_PER_SEC);
  }

 private:
  Clock::time_point wall_ = Clock::now();
  std::clock_t cpu_ = std::clock();
};

void write_for_a_while(const char* name, cordon::AuditLogOptions options, std::size_t batch) {
  auto log = open(std::move(options));
  std::vector<Record> records;
  for (std::size_t i = 0; i < batch; ++i) records.push_back(record(i));
  std::uint64_t written = 0;
  const Stopwatch watch;
  while (watch.seconds() < kSeconds) {
    if (!log.write(records)) std::exit(1);
    written += batch;
  }
  const double seconds = watch.seconds();
  const auto events = static_cast<double>(written);
  std::printf("%-34s %9.0f events/s  %8.1f us a commit  %6.1f us CPU an event\n", name,
              events / seconds, 1e6 * seconds * static_cast<double>(batch) / events,
              1e6 * watch.cpu_seconds() / events);
}

void measure_writing(const std::filesystem::path& directory) {
  const auto file = directory / "log";
  const auto database = directory / "log.db";
  for (const auto durability : {cordon::Durability::kProcess, cordon::Durability::kMachine}) {
    const bool durable = durability == cordon::Durability::kMachine;
    for (const std::size_t batch : {std::size_t{1}, std::size_t{64}}) {
      const std::string level = !durable ? "none" : batch == 1 ? "each" : "group";
      const std::string suffix = ", " + std::to_string(batch) + " at a time, " + level;
      write_for_a_while(("file" + suffix).c_str(), {.files = {file}, .durability = durability},
                        batch);
      write_for_a_while(("database" + suffix).c_str(),
                        {.databases = {database}, .durability = durability}, batch);
    }
  }
}

void report(const char* what, const std::filesystem::path& trail, const Stopwatch& watch) {
  std::printf("%-7s %-12s %8.2f s  %8.2f s CPU\n", what, trail.filename().c_str(), watch.seconds(),
              watch.cpu_seconds());
}

void ask(const std::filesystem::path& trail) {
  const Stopwatch verifying;
  if (!cordon::verify_log(trail).good()) std::exit(1);
  report("verify", trail, verifying);

  const Stopwatch counting;
  cordon::EventStatistics statistics;
  auto reader = cordon::EventReader::open(trail);
  while (const auto event = reader->next()) statistics.add(*event);
  if (statistics.finish().empty()) std::exit(1);
  report("stats", trail, counting);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: audit-benchmark DIRECTORY [EVENTS]\n");
    return 2;
  }
  const std::filesystem::path directory = argv[1];
  const std::uint64_t events = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
  measure_writing(directory);
  {
    auto log = open({.files = {directory / "trail"}, .databases = {directory / "trail.db"}});
    std::vector<Record> records;
    for (std::uint64_t number = 0; number < events; ++number) {
      records.push_back(record(number));
      if (records.size() < kImportBatch && number + 1 < events) continue;
      if (!log.write(records)) return 1;
      records.clear();
    }
  }
  ask(directory / "trail");
  ask(directory / "trail.db");
}

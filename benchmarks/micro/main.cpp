// Micro-benchmarks: every path of benchmarks/paths, and what needs threads or processes.
//
//   micro-benchmarks [--benchmark_filter=REGEX] [flags of Google Benchmark]
//
// Exit code: 1 when one of them failed, 77 when this host lacks what one of them needs.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/micro/processes.h"
#include "benchmarks/paths/path.h"

namespace {

void measure_path(benchmark::State& state, const cordon::paths::Path& path) {
  const auto work = path.prepare();
  for (auto _ : state) work();
}

// Remembers that something could not be measured: the library tells it and goes on.
class Reporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override { return shown_->ReportContext(context); }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (!run.error_occurred) continue;
      const bool unavailable = run.error_message.starts_with(cordon::micro::kUnavailable);
      (unavailable ? skipped_ : failed_) = true;
    }
    shown_->ReportRuns(runs);
  }

  void Finalize() override { shown_->Finalize(); }

  int exit_code() const {
    constexpr int kSkipped = 77;
    if (failed_) return 1;
    return skipped_ ? kSkipped : 0;
  }

 private:
  std::unique_ptr<BenchmarkReporter> shown_{benchmark::CreateDefaultDisplayReporter()};
  bool skipped_ = false;
  bool failed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  for (const auto& path : cordon::paths::all_paths()) {
    benchmark::RegisterBenchmark(std::string(path.name).c_str(), measure_path, path);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return reporter.exit_code();
}

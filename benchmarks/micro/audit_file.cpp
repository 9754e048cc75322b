// Appending to an audit trail in a file, without waiting for the disk.

#include <benchmark/benchmark.h>

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "audit/audit_log.h"

namespace cordon::micro {
namespace {

namespace fs = std::filesystem;

// Removed with all that is in it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (fs::temp_directory_path() / "cordon-micro-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const fs::path& path() const noexcept { return path_; }  // empty: there is none

 private:
  fs::path path_;
};

void append_to_file(benchmark::State& state) {
  const ScratchDirectory scratch;
  auto log = AuditLog::open(
      {.files = {scratch.path() / "trail"}, .durability = Durability::kProcess, .writer = "micro"});
  if (!log) return state.SkipWithError(log.error().c_str());
  const auto record = AuditLog::Record::build([](wire::AuditRecord::Builder out) {
    out.setSandbox("0123456789abcdef-1");
    out.setCapability("filesystem.read");
    out.setTarget("/srv/data/report-of-the-day.txt");
    out.setDurationUs(123);
    out.setBytes(4096);
    out.setCount(-1);
  });
  for (auto _ : state) {
    if (!log->append(record)) return state.SkipWithError("an event was not written");
  }
}
BENCHMARK(append_to_file)->Name("audit/append to a file, none");

}  // namespace
}  // namespace cordon::micro

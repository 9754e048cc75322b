#pragma once
// Records, events and files for the tests of the audit trail.

#include <cordon/audit_event.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "audit/audit_log.h"
#include "messages/audit.capnp.h"
#include "messages/payload.h"

namespace cordon::test {

using Record = Message<wire::AuditRecord>;

inline Record record(const char* capability, const char* target = nullptr) {
  return Record::build([&](wire::AuditRecord::Builder builder) {
    builder.setSandbox("c-1");
    builder.setCapability(capability);
    if (target != nullptr) builder.setTarget(target);
    builder.setOutcome(wire::AuditOutcome::USED);
    builder.setDurationUs(1250);
    builder.setBytes(-1);
    builder.setCount(-1);
  });
}

// A log that keeps its events in one file and says nothing about itself.
inline Result<AuditLog, std::string> open_log(const std::filesystem::path& path,
                                              AuditLog::Clock clock = AuditLog::system_clock_ms) {
  return AuditLog::open({.files = {path}}, std::move(clock));
}

// A directory of its own, removed with everything in it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "cordon-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void spill(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) (text += line) += '\n';
  return text;
}

// The text of a good log of `count` events, one millisecond apart.
inline std::string good_log(int count) {
  std::string text;
  std::int64_t now = 1'700'000'000'000;
  AuditLog log([&now] { return ++now; });
  for (int i = 0; i < count; ++i) {
    const auto event = log.append(record("filesystem.read", "/data/a.txt"));
    text += to_json(*event) + '\n';
  }
  return text;
}

}  // namespace cordon::test

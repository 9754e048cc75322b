#pragma once
// A real runtime for tests of the whole system, with its audit events and a scratch directory.

#include <cordon/sandbox.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include <stdlib.h>

namespace cordon::test {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "cordon-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = std::filesystem::canonical(name);
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string read(const std::string& name) const {
    std::stringstream out;
    out << std::ifstream(path_ / name, std::ios::binary).rdbuf();
    return out.str();
  }

 private:
  std::filesystem::path path_;
};

class World {
 public:
  explicit World(RuntimeOptions options = {}) : runtime(with_events(std::move(options))) {}

  Outcome run(const std::string& source, AISandboxOptions options = {},
              const std::string& arguments = "[]", ProgramOptions program = {}) {
    AISandbox sandbox(runtime, source, std::move(options), std::move(program));
    return sandbox.call(Value::from_json(arguments));
  }
  Outcome script(const std::string& source, AISandboxOptions options = {}) {
    ProgramOptions program;
    program.entry = ProgramOptions::Entry::kScript;
    return run(source, std::move(options), "[]", std::move(program));
  }

  std::vector<SandboxAuditEvent> events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  // "capability outcome target", one per event.
  std::vector<std::string> event_lines() const {
    std::vector<std::string> lines;
    for (const auto& event : events()) {
      lines.push_back(event.capability + " " + to_string(event.outcome) +
                      (event.target ? " " + *event.target : ""));
    }
    return lines;
  }
  std::string all_event_text() const {
    std::string text;
    for (const auto& event : events()) text += to_json(event) + "\n";
    return text;
  }

 private:
  RuntimeOptions with_events(RuntimeOptions options) {
    options.on_audit = [this](const SandboxAuditEvent& event) {
      const std::lock_guard lock(mutex_);
      events_.push_back(event);
    };
    return options;
  }
  mutable std::mutex mutex_;
  std::vector<SandboxAuditEvent> events_;

 public:
  Runtime runtime;
};

}  // namespace cordon::test

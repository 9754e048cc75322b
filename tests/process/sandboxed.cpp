#include "tests/process/sandboxed.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <thread>

namespace cordon::test {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (fs::temp_directory_path() / "cordon-test-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = fs::canonical(name).string();
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryDirectory::write(const std::string& name, const std::string& text,
                                      int mode) const {
  const fs::path path = fs::path(path_) / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  REQUIRE(::chmod(path.c_str(), static_cast<mode_t>(mode)) == 0);
  return path.string();
}

std::string TemporaryDirectory::read(const std::string& name) const {
  std::ifstream file(fs::path(path_) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

CommandServiceOptions Sandboxed::production() { return {.launcher = CORDON_LAUNCH}; }

Sandboxed::Sandboxed(std::vector<std::string> commands, CommandServiceOptions service)
    : service_(io_.context(), blocking_, std::move(service)) {
  options.subprocess.emplace().commands = std::move(commands);
}

// The threads stop before what their work uses goes away.
Sandboxed::~Sandboxed() {
  session_.reset();
  io_.stop();
}

CommandSession& Sandboxed::session() {
  if (!session_) {
    authority_ = std::make_shared<const Authority>(Authority::validate(options));
    session_ = service_.open_session(authority_);
  }
  return *session_;
}

void Sandboxed::start(const std::string& command, std::vector<std::string> arguments,
                      CommandSession::OnEnd on_end) {
  CommandSession& session = this->session();
  auto checked = decide_subprocess(*authority_, command, arguments);
  REQUIRE(checked.has_value());
  session.start(std::move(*checked), std::move(on_end));
}

SpawnedCommand Sandboxed::run(const std::string& command, std::vector<std::string> arguments) {
  std::promise<SpawnedCommand> promise;
  auto future = promise.get_future();
  start(command, std::move(arguments),
        [&](SpawnedCommand ended) { promise.set_value(std::move(ended)); });
  return future.get();
}

std::string Sandboxed::output(const std::string& command, std::vector<std::string> arguments) {
  const SpawnedCommand ended = run(command, std::move(arguments));
  INFO(refusal_of(ended));
  REQUIRE(ended.result.has_value());
  return ended.result->out + ended.result->err;
}

std::string Sandboxed::shell(const std::string& script) {
  return output("/bin/sh", {"-c", script});
}

std::string Sandboxed::probe(const std::string& name, const std::string& argument) {
  std::string said = output(kTestee, {name, argument});
  if (!said.empty() && said.back() == '\n') said.pop_back();
  return said;
}

bool can_run() {
  const SpawnedCommand ended = Sandboxed({"/bin/true"}).run("/bin/true");
  if (!ended.result) WARN("skipped: " + refusal_of(ended));
  return ended.result.has_value();
}

std::string refusal_of(const SpawnedCommand& command) {
  if (command.result) return "";
  const OperationError error = command.result.error();
  if (const auto* const refusal = std::get_if<Refusal>(&error)) {
    return refusal->capability + ": " + refusal->message;
  }
  return "error: " + std::get<OperationFailure>(error).message;
}

std::string wall(const SpawnedCommand& command, const std::string& name) {
  if (!command.report) return "";
  for (const auto& each : command.report->walls) {
    if (each.name == name) return each.mechanism;
  }
  return "";
}

namespace {

std::size_t count_processes_with(const std::string& text) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "cmdline");
    // Not by iterators, which throw when the process ends in the middle.
    std::string line;
    std::getline(file, line);
    if (line.find(text) != std::string::npos) ++count;
  }
  return count;
}

bool wait_until(const std::function<bool()>& holds) {
  using Clock = std::chrono::steady_clock;
  for (const auto until = Clock::now() + std::chrono::seconds(20); Clock::now() < until;) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace

bool no_process_with(const std::string& text) {
  return wait_until([&] { return count_processes_with(text) == 0; });
}

bool wait_for_process_with(const std::string& text, std::size_t count) {
  return wait_until([&] { return count_processes_with(text) >= count; });
}

}  // namespace cordon::test

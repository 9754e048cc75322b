#pragma once
// The processes that benchmarks talk to, with a thread that waits for them.

#include <cordon/runtime.h>

#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include "actors/engine_directory.h"
#include "actors/process/engine_process.h"
#include "actors/process/io_thread.h"
#include "messages/result.h"

namespace cordon::micro {

// How the message of a benchmark begins that this host cannot run.
inline constexpr std::string_view kUnavailable = "unavailable: ";

// Where this program's own folder has the engine's executables.
inline std::filesystem::path engine_file(const char* name) {
  return engine_directory(RuntimeOptions{}) / name;
}

// A `Client` (ZygoteClient, CompilerClient) on its I/O thread; ends in the right order.
template <class Client>
class Running {
 public:
  template <class Options>
  explicit Running(Options options) {
    auto started = Client::start(io_.context(), std::move(options));
    if (started) {
      client_ = *std::move(started);
    } else {
      problem_ =
          std::string(kUnavailable) + started.error().mechanism + ": " + started.error().message;
    }
  }
  ~Running() {
    io_.stop();
    client_.reset();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  Client* client() const noexcept { return client_.get(); }  // null: see problem()
  const std::string& problem() const noexcept { return problem_; }

 private:
  IoThread io_;
  std::unique_ptr<Client> client_;
  std::string problem_;
};

}  // namespace cordon::micro

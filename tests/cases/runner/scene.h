#pragma once
// Everything around one run that its fixtures ask for: files, servers, how the parent is started.

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "messages/unique_fd.h"
#include "tests/cases/runner/files.h"
#include "tests/cases/runner/parent_process.h"
#include "tests/cases/runner/placeholders.h"
#include "tests/cases/runner/recorded_server.h"

namespace cordon::cases {

// A process of the host that has nothing to do with the case and must survive it.
class Canary {
 public:
  Canary();
  ~Canary();
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;
  pid_t pid() const noexcept { return pid_; }

 private:
  pid_t pid_ = -1;
};

// A TCP port of the loopback interface where nobody listens, and nobody else will.
class ClosedPort {
 public:
  ClosedPort();
  unsigned short port() const noexcept { return port_; }

 private:
  UniqueFd socket_;
  unsigned short port_ = 0;
};

class Scene {
 public:
  // Throws Unknown for a fixture that is not known.
  Scene(const Json& fixture, const std::filesystem::path& parent_executable);

  // $ROOT, $PORT and the others, and what `define` adds.
  const Placeholders& placeholders() const noexcept { return placeholders_; }

  Root root;
  ListeningSockets sockets;
  std::unique_ptr<RecordedServer> server, server2;
  std::unique_ptr<Canary> canary;
  ParentSetup parent;
  Json resolver;                     // rules, or null
  std::optional<std::string> racer;  // words
  std::chrono::milliseconds wait_after_call{0};

 private:
  void define_placeholders(const Json& fixture);
  void make(const Json& entry);
  bool make_parent_part(const Json& entry);

  ClosedPort closed_, closed2_;
  Placeholders placeholders_;
};

}  // namespace cordon::cases

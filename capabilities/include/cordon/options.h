#pragma once
// What trusted host code grants to one sandbox. Anything omitted is denied.
//
// Plain data, checked when an AISandbox is constructed: an invalid field throws InvalidOption,
// which names it. Limits are whole numbers from 1 to 2^53 - 1.

#include <cordon/tools.h>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cordon {

// Roots are absolute paths of existing directories or files.
struct SandboxFilesystemGrant {
  std::vector<std::string> read = {};   // readText() may read at or beneath these
  std::vector<std::string> write = {};  // writeText() may write at or beneath these
};

struct SandboxNetworkGrant {
  std::vector<std::string> origins =
      {};  // exact http or https origins, e.g. "https://api.example.com"
  std::vector<std::string> methods = {"GET"};
  // Whether a DNS name other than localhost may resolve to a loopback, private or link-local
  // address.
  bool allow_private_addresses = false;
};

// The walls around granted commands. The default is the strictest that lets them run: no network,
// no sockets, a private scratch directory as the only writable place.
struct SandboxProcessPolicy {
  enum class Mode : std::uint8_t {
    kStrict,      // a wall that this host cannot build refuses the command
    kBestEffort,  // it is left out, and the report says so
  };

  // Over the command's whole process tree. Those that are given must hold there in strict mode.
  struct Resources {
    std::optional<std::uint64_t> memory_bytes;  // at least 1 MiB; none: 512 MiB
    std::optional<std::uint64_t> pids;          // 1 to 4194304; none: 64
    std::optional<double> cpu;                  // in CPUs, at least 0.001; 1 is one full core
  };

  // Absolute, existing paths that commands see besides the read roots and the system's libraries.
  struct Filesystem {
    std::vector<std::string> readonly;
    std::vector<std::string> writable;
  };

  // Either is a grant of the host's network, in that direction.
  struct Network {
    bool outbound = false;
    bool inbound = false;
  };

  struct Process {
    bool allow_fork = true;
    bool allow_exec = true;                     // of the granted commands and allowed_binaries only
    std::vector<std::string> allowed_binaries;  // absolute paths, checked as commands are
  };

  // Names as in libseccomp, e.g. "openat". The built-in filter stays on top of either mode.
  struct Syscalls {
    enum class Mode : std::uint8_t { kAllowlist, kDenylist };
    Mode mode = Mode::kDenylist;
    std::vector<std::string> names;
  };

  Mode mode = Mode::kStrict;
  Resources resources;
  Filesystem filesystem;
  Network network;
  Process process;
  std::optional<Syscalls> syscalls;
};

struct SandboxSubprocessGrant {
  std::vector<std::string> commands = {};               // absolute paths, none beneath a write root
  std::map<std::string, std::string> environment = {};  // replaces the whole environment
  std::uint64_t timeout_ms = 30'000;
  SandboxProcessPolicy sandbox = {};
};

struct SandboxResourceGrant {
  std::uint64_t max_operations = 100;  // capability calls in all
  // Bytes of one operation.
  std::uint64_t max_read_bytes = 1 << 20;
  std::uint64_t max_write_bytes = 1 << 20;
  std::uint64_t max_network_bytes = 1 << 20;  // request body and response body, each
  std::uint64_t max_process_output_bytes = 1 << 20;
  std::uint64_t max_tool_bytes = 1 << 20;  // JSON text of a tool's arguments and result, each
  std::uint64_t wall_clock_ms = 30'000;    // from the call's start, compiling included
  std::uint64_t max_memory_bytes = 256 << 20;
  std::optional<std::uint64_t> max_cpu_ms = {};  // none: the wall clock bounds it
  std::uint64_t max_console_bytes = 64 << 10;
  std::uint64_t max_result_bytes = 16 << 20;
  std::uint64_t max_source_bytes = 4 << 20;
  std::uint64_t max_concurrent_operations = 32;  // more wait their turn
};

struct AISandboxOptions {
  std::optional<SandboxFilesystemGrant> filesystem = {};
  std::optional<SandboxNetworkGrant> network = {};
  std::optional<SandboxSubprocessGrant> subprocess = {};
  std::map<std::string, std::string> environment = {};  // name → value
  std::map<std::string, std::string> secrets = {};      // name → value of at least 4 characters
  std::map<std::string, std::string> modules = {};      // import specifier → ES module source
  std::vector<ToolModule> tools = {};  // functions of the host; not part of JSON policies
  SandboxResourceGrant resources;
  bool experimental_decorators = false;  // compilerOptions.experimentalDecorators
};

// An option that cannot be used. `field()` is its path as in JSON policy, e.g.
// "resources.maxOperations"; the message starts with it and says what would be accepted.
class InvalidOption : public std::invalid_argument {
 public:
  InvalidOption(std::string field, const std::string& problem)
      : std::invalid_argument(field + ": " + problem), field_(std::move(field)) {}
  const std::string& field() const noexcept { return field_; }

 private:
  std::string field_;
};

}  // namespace cordon

#pragma once
// The machinery that sandboxes share: actors, engine processes, compiler, audit trail.
//
// Thread-safe. Several may live in one process; there is no global state. Starts its processes at
// construction and throws Unavailable when this host cannot enforce the sandbox. Destruction
// terminates every call, waits for it to be answered, and leaves no process, thread or descriptor;
// drain() first lets calls end by themselves. Sandboxes must not outlive their runtime.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <cordon/audit_event.h>
#include <cordon/audit_options.h>
#include <cordon/audit_topic.h>
#include <cordon/metrics.h>

namespace cordon {

inline constexpr std::size_t kMaxSpareChildren = 1024;

struct RuntimeOptions {
  // Directory of the executables cordon-engine, cordon-launch, cordon-esbuild and
  // cordon-transpiler. Default: CORDON_LIBEXEC if set, else beside the running executable if they
  // are there, else where the package that this library belongs to has them, relative to the
  // library (or, linked statically, to the executable).
  std::optional<std::filesystem::path> engine_directory = {};

  std::size_t max_concurrent_calls = 0;  // 0: twice the number of usable CPUs
  // More are refused as busy: of the tenant that has the most waiting, when another one asks.
  std::size_t max_queued_calls = 1024;
  std::size_t max_concurrent_calls_per_tenant = 0;  // 0: no limit but max_concurrent_calls
  std::size_t spare_children = 1;                   // forked ahead of need, up to kMaxSpareChildren
  // The warm engine that children are forked from is replaced after so many, since they all share
  // its address layout; and at once after one that died as if somebody knew it.
  std::uint64_t max_forks_per_engine = 10'000;
  bool jit = true;
  // Threads that handlers of tools are called on; made when the first tool is used. A handler that
  // blocks holds one. The runtime's destruction waits for handlers to return.
  std::size_t tool_threads = 8;

  // Name resolution for fetchText, called on a thread of its own: addresses in text form, best
  // first, none when there is no such name. Default: the system's resolver.
  std::function<std::vector<std::string>(const std::string& host)> resolve_host = {};
  // Certificates (PEM) that fetchText trusts instead of the system's store.
  std::optional<std::filesystem::path> trusted_certificates = {};

  AuditOptions audit = {};
  // One more of `audit.files`.
  std::optional<std::filesystem::path> audit_file = {};
  // Called for every event, in order, on a Cordon thread, before the call it belongs to is
  // answered. Must be quick and must not throw. What a log says about itself (checkpoints, say) is
  // no event: where there is a log, `seq` may skip numbers.
  std::function<void(const SandboxAuditEvent&)> on_audit = {};
};

// This host cannot enforce the sandbox. The message names what is missing and the remedy.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The audit log cannot be opened, so nothing would be run.
class AuditUnavailable : public Unavailable {
 public:
  using Unavailable::Unavailable;
};

// The script engine in use. Nothing here is a protection: those are all there, or there is no
// Runtime.
struct EngineInfo {
  std::string version;                // "mozjs-102.15.1"
  std::uint64_t huge_text_bytes = 0;  // of its code, on huge pages; without them forks are slower
  std::uint64_t huge_data_bytes = 0;  // the same of its data
};

class Runtime {
 public:
  explicit Runtime(RuntimeOptions options = {});
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // Admits no more calls (CallError, kShutDown) and waits for the last one's end, at most so long.
  // True when it has come; else the calls go on. May be called again.
  bool drain(std::chrono::milliseconds patience);

  // What has happened so far, and what is going on.
  Metrics metrics() const;

  // Hash of the log's newest event: the head to hand to `audit verify --expect-head`.
  std::string audit_head() const;
  // Events that could not be written so far. Always 0 with an auditor of the service.
  std::uint64_t audit_lost() const;
  // Events as they are written, with `credits` to begin with. `on_event` is called on a Cordon
  // thread; it must be quick and must not throw. Throws std::logic_error with an auditor of the
  // service: it publishes by itself.
  AuditSubscription subscribe(AuditSubscription::OnEvent on_event, std::uint64_t credits);

  EngineInfo engine() const;

  class Impl;
  explicit Runtime(std::unique_ptr<Impl> impl);
  Impl& impl() const noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace cordon

#pragma once
// Production wiring: every service and actor of one runtime, built in order, taken down in reverse.
//
// Invariant: when the destructor returns, no actor of this runtime has a state any more, whether
// the actor system is its own or the service's.

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include <cordon/actors.h>
#include <cordon/runtime.h>

#include "actors/caller.h"
#include "actors/command_service.h"
#include "actors/compile/compiler_client.h"
#include "actors/compile/prepared_modules.h"
#include "actors/metrics_registry.h"
#include "actors/network_service.h"
#include "actors/presence.h"
#include "actors/process/blocking_threads.h"
#include "actors/process/io_thread.h"
#include "actors/process/limit_timer.h"
#include "actors/process/spare_children.h"
#include "actors/process/zygote_client.h"
#include "actors/services.h"
#include "actors/tool_service.h"
#include "audit/audit_log.h"
#include "audit/topic.h"

namespace cordon {

class Runtime::Impl {
 public:
  // `host`: the system that the actors live in; null: one of the runtime's own.
  Impl(const RuntimeOptions& options, const ActorOptions& actors, caf::actor_system* host);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  caf::actor_system& system() noexcept { return *system_; }
  const PoolActor& pool() const noexcept { return pool_; }
  const AuditorActor& auditor() const noexcept { return auditor_; }
  CallerTokens caller_tokens();
  PoolActor spawn_pool(const PoolOptions& options);
  SandboxActor spawn_sandbox();
  Result<PreparedModules::Module, CompileFailure> prepare(const CompileRequest& request);
  bool drain(std::chrono::milliseconds patience);
  Metrics metrics() const { return metrics_.snapshot(); }
  // A fresh call id: unique within the runtime and, by its random part, among runtimes.
  std::string next_call_id();
  std::string audit_head();
  std::uint64_t audit_lost() const { return *lost_; }
  AuditSubscription subscribe(AuditSubscription::OnEvent on_event, std::uint64_t credits);
  ToolService& tools() noexcept { return tools_; }
  EngineInfo engine() const;

 private:
  void start(const RuntimeOptions& options, const ActorOptions& actors, caf::actor_system* host);
  void start_auditor(const RuntimeOptions& options, std::shared_ptr<AuditLog> log);
  void stop_actors();

  class CompilerService final : public Compiler {
   public:
    explicit CompilerService(CompilerClient& client) : client_(client) {}
    void compile(CompileRequest request, CompilerClient::OnCompiled on_compiled) override {
      client_.compile(std::move(request), std::move(on_compiled));
    }

   private:
    CompilerClient& client_;
  };

  const std::string id_prefix_;
  std::atomic<std::uint64_t> next_call_{1};

  MetricsRegistry metrics_;
  IoThread io_;
  BlockingThreads blocking_;
  LateBlockingThreads tool_threads_;
  ToolService tools_{tool_threads_};
  LimitTimers limits_;
  std::unique_ptr<ZygoteClient> zygote_;
  std::unique_ptr<CompilerClient> compiler_client_;
  std::unique_ptr<CompilerService> compiler_;
  std::unique_ptr<PreparedModules> prepared_;
  std::unique_ptr<SpareChildren> children_;
  std::unique_ptr<CountedChildren> counted_children_;
  std::unique_ptr<NetworkService> network_;
  std::unique_ptr<CommandService> commands_;
  std::unique_ptr<Services> services_;

  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> own_system_;
  caf::actor_system* system_ = nullptr;
  Presence presence_;
  GaugeShare::Gauge handing_over_{0};  // calls that may not have reached the pool yet
  std::atomic<bool> draining_{false};
  bool owns_auditor_ = true;
  std::shared_ptr<AuditTopic> topic_ = std::make_shared<AuditTopic>();
  std::shared_ptr<std::atomic<std::uint64_t>> lost_ =
      std::make_shared<std::atomic<std::uint64_t>>(0);
  AuditorActor auditor_;
  BudgetActor shared_budget_;
  PoolActor pool_;
};

}  // namespace cordon

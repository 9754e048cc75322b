#pragma once
// Production wiring: every service and actor of one runtime, built in order, taken down in reverse.

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <atomic>
#include <memory>
#include <string>

#include <cordon/runtime.h>

#include "actors/command_service.h"
#include "actors/compile/compiler_client.h"
#include "actors/interfaces.h"
#include "actors/network_service.h"
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
  explicit Impl(const RuntimeOptions& options);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  caf::actor_system& system() noexcept { return *system_; }
  const SandboxActor& pool() const noexcept { return pool_; }
  // A fresh call id: unique within the runtime and, by its random part, among runtimes.
  std::string next_call_id();
  std::string audit_head();
  std::uint64_t audit_lost() const { return *lost_; }
  AuditTopic& topic() noexcept { return *topic_; }
  ToolService& tools() noexcept { return tools_; }
  EngineInfo engine() const;

 private:
  void start(const RuntimeOptions& options);
  void start_auditor(const RuntimeOptions& options, std::shared_ptr<AuditLog> log);

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

  IoThread io_;
  BlockingThreads blocking_;
  ToolService tools_;
  LimitTimers limits_;
  std::unique_ptr<ZygoteClient> zygote_;
  std::unique_ptr<CompilerClient> compiler_client_;
  std::unique_ptr<CompilerService> compiler_;
  std::unique_ptr<SpareChildren> children_;
  std::unique_ptr<NetworkService> network_;
  std::unique_ptr<CommandService> commands_;
  std::unique_ptr<Services> services_;

  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> system_;
  std::shared_ptr<AuditTopic> topic_ = std::make_shared<AuditTopic>();
  std::shared_ptr<std::atomic<std::uint64_t>> lost_ =
      std::make_shared<std::atomic<std::uint64_t>>(0);
  AuditorActor auditor_;
  SandboxActor pool_;
};

}  // namespace cordon

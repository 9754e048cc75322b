// The functions of <cordon/actors.h> that are about actors and systems.

#include <cordon/actors.h>

#include <caf/atom.hpp>

#include <memory>
#include <utility>

#include "actors/audit_setup.h"
#include "actors/auditor.h"
#include "actors/or_unavailable.h"
#include "actors/runtime_impl.h"

namespace cordon {

void configure(caf::actor_system_config& config) {
  config.add_message_types<caf::id_block::cordon>();
  config.add_error_category(caf::atom("cordon"),
                            [](std::uint8_t code, caf::atom_value, const caf::message& context) {
                              std::string text = to_string(static_cast<ActorError>(code));
                              if (!context.empty()) text += ": " + to_string(context);
                              return text;
                            });
}

Runtime start_runtime(caf::actor_system& system, RuntimeOptions options, ActorOptions actors) {
  return Runtime(
      or_unavailable([&] { return std::make_unique<Runtime::Impl>(options, actors, &system); }));
}

PoolActor pool_of(const Runtime& runtime) { return runtime.impl().pool(); }
AuditorActor auditor_of(const Runtime& runtime) { return runtime.impl().auditor(); }

PoolActor spawn_pool(Runtime& runtime, const PoolOptions& options) {
  return runtime.impl().spawn_pool(options);
}

SandboxActor spawn_sandbox(Runtime& runtime) { return runtime.impl().spawn_sandbox(); }

AuditorActor spawn_auditor(caf::actor_system& system, const AuditOptions& options,
                           std::function<void(const SandboxAuditEvent&)> on_audit) {
  auto log = open_audit_log({.audit = options});
  auto thread = or_unavailable([&] { return audit_thread(options); });
  return system.spawn(auditor_actor, AuditorSetup{.log = std::move(log),
                                                  .publish = std::move(on_audit),
                                                  .group_limit = audit_group_limit(options),
                                                  .thread = std::move(thread),
                                                  .best_effort = options.best_effort});
}

}  // namespace cordon

#include <cordon/runtime.h>

#include <caf/atom.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>

#include "actors/audit_setup.h"
#include "actors/auditor.h"
#include "actors/call_id.h"
#include "actors/engine_directory.h"
#include "actors/logger_scope.h"
#include "actors/or_unavailable.h"
#include "actors/pool_actor.h"
#include "actors/process/quiet_thread.h"
#include "actors/runtime_impl.h"
#include "actors/sandbox_actor.h"
#include "actors/schedule/io_scheduler.h"

namespace cordon {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBlockingThreads = 2;
constexpr std::size_t kIdPrefixBytes = 8;
// Actors give way after a few messages, so that a busy call does not starve the others.
constexpr std::size_t kMessagesPerTurn = 5;
constexpr std::size_t kMostCpusOfOneDecider = 4;
constexpr std::size_t kCafsOwnThreads = 2;  // its clock and its printer

std::size_t usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1));
}

template <class T>
T require(Result<T, StartFailure> result) {
  if (!result) throw Unavailable(refusal(result.error()));
  return std::move(*result);
}

// Whether the options say anything that only the runtime's own auditor would do.
bool wants_auditor(const RuntimeOptions& options) {
  const AuditOptions& audit = options.audit;
  return options.on_audit || options.audit_file || !audit.files.empty() ||
         !audit.databases.empty() || audit.standard_output || audit.signing_key;
}

// CAF does not survive that it cannot have a thread, so as many are started and ended before. Twice
// as many, since one that has just ended may still count.
void require_threads(std::size_t threads) { const BlockingThreads had(2 * threads); }

// Where one thread decides faster than the other CPUs can run children, it is the I/O thread, and
// no message wakes another one (docs/decisions/031). Elsewhere CAF's workers, half as many as CPUs:
// with more of them, each message of a call's chain wakes another one (docs/decisions/004).
void configure_own(caf::actor_system_config& config, boost::asio::io_context& io) {
  configure(config);
  config.set("scheduler.max-throughput", kMessagesPerTurn);
  const std::size_t cpus = usable_cpus();
  if (cpus <= kMostCpusOfOneDecider) return IoScheduler::use(config, io);
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads", cpus / 2);
  require_threads(cpus / 2 + kCafsOwnThreads);
}

// Nobody would see it before a message is rendered or sent away, so it is checked here.
void require_configured(caf::actor_system& system) {
  const auto& types = system.types();
  if (types.portable_name(0, &typeid(CallMessage)) == types.default_type_name()) {
    throw std::invalid_argument(
        "The actor_system does not know Cordon's messages: call cordon::configure() with its "
        "configuration before it is made");
  }
}

}  // namespace

Runtime::Impl::Impl(const RuntimeOptions& options, const ActorOptions& actors,
                    caf::actor_system* host)
    : id_prefix_(random_hex(kIdPrefixBytes)),
      blocking_(kBlockingThreads),
      tool_threads_(std::max<std::size_t>(options.tool_threads, 1)) {
  if (host != nullptr) require_configured(*host);
  if (actors.auditor && wants_auditor(options)) {
    throw std::invalid_argument(
        "An auditor of the service writes and publishes by itself: leave audit, audit_file and "
        "on_audit out");
  }
  if (options.spare_children > kMaxSpareChildren) {
    throw std::invalid_argument("RuntimeOptions::spare_children must be at most " +
                                std::to_string(kMaxSpareChildren));
  }
  try {
    start(options, actors, host);
  } catch (...) {
    const LoggerScope scope;
    own_system_.reset();
    io_.stop();  // before what its handlers use goes away
    throw;
  }
}

void Runtime::Impl::start(const RuntimeOptions& options, const ActorOptions& actors,
                          caf::actor_system* host) {
  const LoggerScope scope;
  auto log = open_audit_log(options);
  if (host == nullptr) {
    configure_own(config_, io_.context());
    const SignalsBlocked quiet;  // in the threads that CAF may start
    own_system_ = std::make_unique<caf::actor_system>(config_);
  }
  system_ = host != nullptr ? host : own_system_.get();
  const auto directory = engine_directory(options);
  const auto engine = directory / "cordon-engine";
  zygote_ = require(ZygoteClient::start(
      io_.context(),
      {.executable = engine, .jit = options.jit, .max_forks = options.max_forks_per_engine}));
  compiler_client_ = require(
      CompilerClient::start(io_.context(), {.launcher = engine,
                                            .esbuild = directory / "cordon-esbuild",
                                            .transpiler = directory / "cordon-transpiler"}));
  compiler_ = std::make_unique<CompilerService>(*compiler_client_);
  prepared_ = std::make_unique<PreparedModules>(*compiler_);
  children_ = std::make_unique<SpareChildren>(io_.context(), *zygote_, options.spare_children);
  counted_children_ = std::make_unique<CountedChildren>(*children_, metrics_);
  network_ = std::make_unique<NetworkService>(io_.context(), options);
  commands_ = std::make_unique<CommandService>(
      io_.context(), blocking_, CommandServiceOptions{.launcher = directory / "cordon-launch"});
  services_ = std::make_unique<Services>(
      Services{*counted_children_, *prepared_, limits_, blocking_, *network_, *commands_, tools_});

  owns_auditor_ = !actors.auditor;
  if (owns_auditor_) {
    start_auditor(options, std::move(log));
  } else {
    auditor_ = actors.auditor;
  }
  shared_budget_ = actors.budget;
  pool_ = spawn_pool({.max_concurrent_calls = options.max_concurrent_calls != 0
                                                  ? options.max_concurrent_calls
                                                  : 2 * usable_cpus(),
                      .max_queued_calls = options.max_queued_calls,
                      .max_concurrent_calls_per_tenant = options.max_concurrent_calls_per_tenant});
}

void Runtime::Impl::start_auditor(const RuntimeOptions& options, std::shared_ptr<AuditLog> log) {
  auditor_ = system_->spawn(
      auditor_actor, AuditorSetup{.log = std::move(log),
                                  .publish =
                                      [this, on_audit = options.on_audit](const auto& event) {
                                        metrics_.event(event);
                                        if (on_audit) on_audit(event);
                                        topic_->publish(event);
                                      },
                                  .group_limit = audit_group_limit(options.audit),
                                  .thread = audit_thread(options.audit),
                                  .best_effort = options.audit.best_effort,
                                  .lost = lost_});
}

Runtime::Impl::~Impl() {
  const LoggerScope scope;
  if (system_ != nullptr) stop_actors();
  own_system_.reset();
  io_.stop();
}

void Runtime::Impl::stop_actors() {
  // Whatever is this runtime's leaves with the pool, once every call is answered; then nobody needs
  // the auditor.
  caf::anon_send_exit(pool_, caf::exit_reason::user_shutdown);
  pool_ = nullptr;
  presence_.leave();
  if (owns_auditor_) {
    caf::scoped_actor self(*system_);
    caf::anon_send_exit(auditor_, caf::exit_reason::user_shutdown);
    self->wait_for(auditor_);
  }
  auditor_ = nullptr;
  shared_budget_ = nullptr;
}

PoolActor Runtime::Impl::spawn_pool(const PoolOptions& options) {
  if (options.max_concurrent_calls == 0) {
    throw std::invalid_argument("PoolOptions::max_concurrent_calls must be at least 1");
  }
  const LoggerScope scope;
  return system_->spawn(
      pool_actor,
      PoolSetup{.services = services_.get(),
                .auditor = auditor_,
                .max_concurrent_calls = options.max_concurrent_calls,
                .max_queued_calls = options.max_queued_calls,
                .max_concurrent_calls_per_tenant = options.max_concurrent_calls_per_tenant,
                .shared_budget = shared_budget_,
                .metrics = &metrics_,
                .guardian = caf::actor_cast<caf::strong_actor_ptr>(pool_),
                .presence = presence_.token()});
}

SandboxActor Runtime::Impl::spawn_sandbox() {
  const LoggerScope scope;
  return caf::actor_cast<SandboxActor>(system_->spawn(
      sandbox_actor, SandboxSetup{.services = services_.get(),
                                  .auditor = auditor_,
                                  .shared_budget = shared_budget_,
                                  .guardian = caf::actor_cast<caf::strong_actor_ptr>(pool_),
                                  .presence = presence_.token()}));
}

Result<PreparedModules::Module, CompileFailure> Runtime::Impl::prepare(
    const CompileRequest& request) {
  return prepared_->prepare(request);
}

CallerTokens Runtime::Impl::caller_tokens() {
  CallerTokens tokens;
  tokens.presence = presence_.token();
  if (!draining_) tokens.handover = std::make_shared<GaugeShare>(handing_over_);
  return tokens;
}

bool Runtime::Impl::drain(std::chrono::milliseconds patience) {
  // Calls that were made before this are to reach the pool before this.
  draining_ = true;
  for (auto left = handing_over_.load(); left != 0; left = handing_over_.load()) {
    handing_over_.wait(left);
  }
  bool drained = false;
  const LoggerScope scope;
  caf::scoped_actor self(*system_);
  self->request(pool_, std::max(patience, 1ms), drain_atom_v)
      .receive([&](drain_atom) { drained = true; }, [](const caf::error&) {});
  return drained;
}

std::string Runtime::Impl::next_call_id() {
  return id_prefix_ + "-" + std::to_string(next_call_.fetch_add(1));
}

std::string Runtime::Impl::audit_head() {
  std::string head;
  const LoggerScope scope;
  caf::scoped_actor self(*system_);
  self->request(auditor_, 10s, head_atom_v)
      .receive([&](const std::string& hash) { head = hash; }, [](const caf::error&) {});
  return head;
}

AuditSubscription Runtime::Impl::subscribe(AuditSubscription::OnEvent on_event,
                                           std::uint64_t credits) {
  if (!owns_auditor_) {
    throw std::logic_error("An auditor of the service publishes by itself: subscribe there");
  }
  return topic_->subscribe(std::move(on_event), credits);
}

EngineInfo Runtime::Impl::engine() const {
  const EngineReady& ready = zygote_->engine();
  return {ready.engine, ready.huge_text_bytes, ready.huge_data_bytes};
}

Runtime::Runtime(RuntimeOptions options)
    : impl_(or_unavailable(
          [&] { return std::make_unique<Impl>(options, ActorOptions{}, nullptr); })) {}
Runtime::Runtime(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Runtime::~Runtime() = default;
bool Runtime::drain(std::chrono::milliseconds patience) { return impl_->drain(patience); }
Metrics Runtime::metrics() const { return impl_->metrics(); }
std::string Runtime::audit_head() const { return impl_->audit_head(); }
std::uint64_t Runtime::audit_lost() const { return impl_->audit_lost(); }
AuditSubscription Runtime::subscribe(AuditSubscription::OnEvent on_event, std::uint64_t credits) {
  return impl_->subscribe(std::move(on_event), credits);
}
EngineInfo Runtime::engine() const { return impl_->engine(); }

}  // namespace cordon

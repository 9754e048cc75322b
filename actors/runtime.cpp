#include <cordon/runtime.h>

#include <caf/atom.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <sched.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "actors/audit_setup.h"
#include "actors/auditor.h"
#include "actors/engine_directory.h"
#include "actors/pool_actor.h"
#include "actors/runtime_impl.h"

namespace cordon {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBlockingThreads = 2;
// Actors give way after a few messages, so that a busy call does not starve the others.
constexpr std::size_t kMessagesPerTurn = 5;

std::size_t usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1));
}

std::string random_hex() {
  std::array<unsigned char, 8> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Unavailable("no random numbers from the system");
  }
  std::string hex;
  for (const unsigned char byte : bytes) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", byte);
    hex += digits.data();
  }
  return hex;
}

template <class T>
T require(Result<T, StartFailure> result) {
  if (!result) {
    const StartFailure& failure = result.error();
    throw Unavailable("This host cannot enforce the sandbox: " + failure.mechanism + ": " +
                      failure.message + ". " + failure.remedy);
  }
  return std::move(*result);
}

// Half the CPUs: with as many workers as CPUs, each message of a call's chain wakes another one
// (docs/decisions/004).
void configure(caf::actor_system_config& config) {
  config.add_message_types<caf::id_block::cordon>();
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-throughput", kMessagesPerTurn);
  config.set("scheduler.max-threads", std::max<std::size_t>(usable_cpus() / 2, 1));
  config.add_error_category(caf::atom("cordon"),
                            [](std::uint8_t code, caf::atom_value, const caf::message&) {
                              return to_string(static_cast<ActorError>(code));
                            });
}

}  // namespace

Runtime::Impl::Impl(const RuntimeOptions& options)
    : id_prefix_(random_hex()),
      blocking_(kBlockingThreads),
      tools_(std::max<std::size_t>(options.tool_threads, 1)),
      limits_(io_.context()) {
  try {
    start(options);
  } catch (...) {
    io_.stop();  // before what its handlers use goes away
    throw;
  }
}

void Runtime::Impl::start(const RuntimeOptions& options) {
  auto log = open_audit_log(options);
  const auto directory = engine_directory(options);
  const auto engine = directory / "cordon-engine";
  zygote_ = require(ZygoteClient::start(
      io_.context(),
      {.executable = engine, .jit = options.jit, .max_forks = options.max_forks_per_engine}));
  compiler_client_ = require(CompilerClient::start(
      io_.context(), {.launcher = engine, .esbuild = directory / "cordon-esbuild"}));
  compiler_ = std::make_unique<CompilerService>(*compiler_client_);
  children_ = std::make_unique<SpareChildren>(io_.context(), *zygote_, options.spare_children);
  network_ = std::make_unique<NetworkService>(io_.context(), options);
  commands_ = std::make_unique<CommandService>(
      io_.context(), blocking_, CommandServiceOptions{.launcher = directory / "cordon-launch"});
  services_ = std::make_unique<Services>(
      Services{*children_, *compiler_, limits_, blocking_, *network_, *commands_, tools_});

  configure(config_);
  system_ = std::make_unique<caf::actor_system>(config_);
  start_auditor(options, std::move(log));
  const std::size_t concurrent =
      options.max_concurrent_calls != 0 ? options.max_concurrent_calls : 2 * usable_cpus();
  pool_ = system_->spawn(
      pool_actor, PoolSetup{services_.get(), auditor_, concurrent, options.max_queued_calls});
}

void Runtime::Impl::start_auditor(const RuntimeOptions& options, std::shared_ptr<AuditLog> log) {
  auditor_ = system_->spawn(
      auditor_actor,
      AuditorSetup{.log = std::move(log),
                   .publish =
                       [topic = topic_, on_audit = options.on_audit](const auto& event) {
                         if (on_audit) on_audit(event);
                         topic->publish(event);
                       },
                   .group_limit = audit_group_limit(options.audit),
                   .best_effort = options.audit.best_effort,
                   .lost = lost_});
}

Runtime::Impl::~Impl() {
  if (system_) {
    {
      // The pool leaves once every call is answered; then nobody needs the auditor.
      caf::scoped_actor self(*system_);
      caf::anon_send_exit(pool_, caf::exit_reason::user_shutdown);
      self->wait_for(pool_);
    }
    caf::anon_send_exit(auditor_, caf::exit_reason::user_shutdown);
    pool_ = nullptr;
    auditor_ = nullptr;
    system_->await_all_actors_done();
    system_.reset();
  }
  io_.stop();
}

std::string Runtime::Impl::next_call_id() {
  return id_prefix_ + "-" + std::to_string(next_call_.fetch_add(1));
}

std::string Runtime::Impl::audit_head() {
  std::string head;
  caf::scoped_actor self(*system_);
  self->request(auditor_, 10s, head_atom_v)
      .receive([&](const std::string& hash) { head = hash; }, [](const caf::error&) {});
  return head;
}

EngineInfo Runtime::Impl::engine() const {
  const EngineReady& ready = zygote_->engine();
  return {ready.engine, ready.huge_text_bytes};
}

Runtime::Runtime(RuntimeOptions options) : impl_(std::make_unique<Impl>(options)) {}
Runtime::~Runtime() = default;
std::string Runtime::audit_head() const { return impl_->audit_head(); }
std::uint64_t Runtime::audit_lost() const { return impl_->audit_lost(); }
AuditSubscription Runtime::subscribe(AuditSubscription::OnEvent on_event, std::uint64_t credits) {
  return impl_->topic().subscribe(std::move(on_event), credits);
}
EngineInfo Runtime::engine() const { return impl_->engine(); }

}  // namespace cordon

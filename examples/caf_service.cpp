// A CAF service that runs its tenants' programs in sandboxes, as actors among its own. Each tenant
// has an allowance of capability calls, kept by an actor of the service; another one hears of every
// audit event as it happens.

#include <cordon/actors.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <utility>

using namespace std::chrono_literals;

namespace {

// ------------------------------------------------------------------ the service's own budget

struct AllowanceState {
  std::map<std::string, std::uint64_t> used;  // by tenant
  std::uint64_t leases = 0;
};

// It is asked after the call's own limits allow an operation, and can only refuse.
cordon::BudgetActor::behavior_type allowance_actor(
    cordon::BudgetActor::stateful_pointer<AllowanceState> self, std::uint64_t allowance) {
  return {
      [=](cordon::lease_atom, const cordon::LeaseRequestMessage& message) {
        const auto request = cordon::read_lease_request(message);
        auto& used = self->state.used[request.tenant];
        if (used >= allowance) {
          return cordon::make_lease(
              {.granted = false,
               .reason = request.tenant + " has used all " + std::to_string(allowance)});
        }
        ++used;
        return cordon::make_lease({.serial = ++self->state.leases, .granted = true});
      },
      // Whoever limits how many run at the same time would count down here.
      [](cordon::settle_atom, const cordon::SettlementMessage&) {},
  };
}

// ------------------------------------------------------------------ its ear on the audit trail

caf::behavior audit_listener(caf::event_based_actor*) {
  return {[](const std::string& line) { std::cout << "audit   " << line << "\n"; }};
}

std::string line_of(const cordon::SandboxAuditEvent& event) {
  std::string line = std::to_string(event.seq) + " " + event.capability;
  if (event.target) line += " " + *event.target;
  return line + ": " + to_string(event.outcome);
}

// ------------------------------------------------------------------ the service

std::string report(const std::string& tenant, const cordon::Outcome& outcome) {
  const std::string what =
      outcome.result ? outcome.result->json() : outcome.error->name + ": " + outcome.error->message;
  return tenant + ": " + to_string(outcome.status) + ": " + what;
}

// Takes (tenant, source), answers with a line of text. A pool that is lost is the service's end.
caf::behavior service_actor(caf::event_based_actor* self, const cordon::PoolActor& pool) {
  self->monitor(pool);
  self->set_down_handler([self](const caf::down_msg& down) { self->quit(down.reason); });
  return {
      [=](const std::string& tenant, const std::string& source) {
        cordon::Call call{.source = source, .tenant = tenant};
        call.options.environment = {{"GREETING", "hello"}};
        call.options.resources.wall_clock_ms = 2000;
        auto promise = self->make_response_promise<std::string>();
        self->request(pool, 30s, cordon::run_atom_v, cordon::make_call(call),
                      caf::actor_cast<caf::strong_actor_ptr>(self))
            .then(
                [=](const cordon::OutcomeMessage& message) mutable {
                  promise.deliver(report(tenant, cordon::read_outcome(message)));
                },
                // kBusy, kShutDown, kInvalidOptions, or time is up: nothing has run, or nobody
                // waits any more.
                [=](caf::error& error) mutable { promise.deliver(std::move(error)); });
        return promise;
      },
      // The guest writes, and the service hears it at once.
      [](cordon::console_atom, const cordon::ConsoleMessage& message) {
        std::cout << "console " << cordon::read_console_line(message).text << "\n";
      },
  };
}

const std::string kGreeter = R"(
  import { environment } from 'fino:ai/sandbox/capabilities';
  export default async () => {
    console.log('asking twice');
    return [await environment('GREETING'), await environment('GREETING')];
  };
)";

}  // namespace

int main() try {
  caf::actor_system_config config;
  config.set("scheduler.max-threads", 1);  // Cordon's actors decide, its processes work
  cordon::configure(config);
  caf::actor_system system(config);
  caf::scoped_actor self(system);

  const auto listener = system.spawn(audit_listener);
  const auto allowance = system.spawn(allowance_actor, std::uint64_t{3});
  {
    cordon::Runtime runtime = cordon::start_runtime(
        system,
        {.max_concurrent_calls_per_tenant = 2,
         .on_audit = [&](const auto& event) { caf::anon_send(listener, line_of(event)); }},
        {.budget = allowance});
    const auto service = system.spawn(service_actor, cordon::pool_of(runtime));

    for (const std::string tenant : {"ann", "ann", "bob"}) {
      self->request(service, 60s, tenant, kGreeter)
          .receive([](const std::string& line) { std::cout << line << "\n"; },
                   [&](const caf::error& error) { std::cout << system.render(error) << "\n"; });
    }
  }  // the service leaves with the pool
  caf::anon_send_exit(listener, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(allowance, caf::exit_reason::user_shutdown);
} catch (const cordon::Unavailable& error) {
  std::cerr << "this host cannot enforce the sandbox: " << error.what() << "\n";
  return 3;
}

// A hop between actors: a request with a payload and its response, as the sandbox actor asks the
// broker.

#include <benchmark/benchmark.h>
#include <cordon/actors.h>

#include <cordon/actors.h>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>

#include "actors/wire_messages.h"

namespace cordon::micro {
namespace {

using Responder =
    caf::typed_actor<caf::replies_to<perform_atom, ChildFrameMessage>::with<HostFrameMessage>>;
// Makes so many requests, one after another, then answers.
using Requester = caf::typed_actor<caf::replies_to<run_atom, std::uint64_t>::with<std::uint64_t>>;

Responder::behavior_type responder() {
  return {[](perform_atom, const ChildFrameMessage& request) {
    return HostFrameMessage::build([&](wire::HostFrame::Builder frame) {
      auto reply = frame.initReply();
      reply.setId(request.read()->getRequest().getId());
      reply.setText("hello");
    });
  }};
}

ChildFrameMessage request(std::uint64_t id) {
  return ChildFrameMessage::build([&](wire::ChildFrame::Builder frame) {
    auto out = frame.initRequest();
    out.setId(id);
    out.setEnvironment("A");
  });
}

void ask(Requester::pointer self, const Responder& other, std::uint64_t left,
         std::uint64_t answered, caf::typed_response_promise<std::uint64_t> done) {
  if (left == 0) {
    done.deliver(answered);
    return;
  }
  self->request(other, caf::infinite, perform_atom_v, request(left))
      .then([=](const HostFrameMessage& reply) mutable {
        const bool good = reply.read()->getReply().getId() == left;
        ask(self, other, left - 1, answered + (good ? 1 : 0), done);
      });
}

Requester::behavior_type requester(Requester::pointer self, Responder other) {
  return {[=](run_atom, std::uint64_t requests) {
    auto done = self->make_response_promise<std::uint64_t>();
    ask(self, other, requests, 0, done);
    return done;
  }};
}

// range(0): threads for actors. The runtime has one for two CPUs: then no message of a chain has to
// wake another thread.
void request_and_response(benchmark::State& state) {
  constexpr std::uint64_t kRequests = 1000;
  caf::actor_system_config config;
  configure(config);
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads", static_cast<std::size_t>(state.range(0)));
  caf::actor_system system(config);
  {
    caf::scoped_actor self(system);
    const auto other = system.spawn(responder);
    const auto one = system.spawn(requester, other);
    while (state.KeepRunningBatch(kRequests)) {
      std::uint64_t good = 0;
      self->request(one, caf::infinite, run_atom_v, kRequests)
          .receive([&](std::uint64_t answered) { good = answered; }, [](const caf::error&) {});
      if (good != kRequests) state.SkipWithError("a request was not answered");
    }
    self->send_exit(one, caf::exit_reason::user_shutdown);
    self->send_exit(other, caf::exit_reason::user_shutdown);
  }
}
BENCHMARK(request_and_response)
    ->Name("actors/request")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime();

}  // namespace
}  // namespace cordon::micro

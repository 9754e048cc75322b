#pragma once
// Tools whose calls an actor answers. The one header for tools that needs CAF.

#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>
#include <caf/timespan.hpp>
#include <caf/typed_actor.hpp>

#include <string>

#include <cordon/tools.h>
#include <nlohmann/json.hpp>

namespace cordon {

// Gets a tool's name and its arguments as JSON text, and answers with the result as JSON text. One
// actor may serve any number of tools.
using ToolActor = caf::typed_actor<caf::replies_to<std::string, std::string>::with<std::string>>;

// A handler that asks `actor`. Without an answer within `patience`, or with an error, the call
// fails; the guest learns which of the two, and no more. An answer to a call that is over is
// dropped. The actor's system must outlive the calls.
inline ToolHandler answer_from(ToolActor actor, caf::timespan patience) {
  return [actor = std::move(actor), patience](const ToolCall& call) {
    const auto helper =
        actor.home_system().spawn([actor, patience, call](caf::event_based_actor* self) {
          self->request(actor, patience, call.tool(), call.arguments().dump())
              .then(
                  [call](const std::string& text) {
                    auto result = nlohmann::json::parse(text, nullptr, false);
                    if (result.is_discarded()) return call.fail("the tool's answer is not JSON");
                    call.reply(std::move(result));
                  },
                  [call](const caf::error& error) {
                    call.fail(error == caf::sec::request_timeout ? "the tool did not answer in time"
                                                                 : "the tool failed");
                  });
        });
    call.on_cancel([helper] { caf::anon_send_exit(helper, caf::exit_reason::user_shutdown); });
  };
}

}  // namespace cordon

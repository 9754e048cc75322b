#pragma once
// A budget that calls share, as a service would write it: it counts per tenant and can be full.

#include <caf/typed_event_based_actor.hpp>

#include <map>
#include <string>
#include <utility>

#include <cordon/actors.h>

namespace cordon::test {

struct Meter {
  std::uint64_t limit = 1'000'000;  // operations in all
  std::uint64_t granted = 0;
  std::map<std::pair<std::string, std::uint64_t>, std::string> held;  // call and serial: tenant
};

// `meter` outlives the actor.
inline BudgetActor::behavior_type meter_actor(BudgetActor::pointer /*self*/, Meter* meter) {
  return {
      [meter](lease_atom, const LeaseRequestMessage& message) {
        const LeaseRequest request = read_lease_request(message);
        if (meter->granted >= meter->limit) {
          return make_lease({.granted = false, .reason = request.tenant + " has had enough"});
        }
        const std::uint64_t serial = ++meter->granted;
        meter->held[{request.sandbox, serial}] = request.tenant;
        return make_lease({.serial = serial, .granted = true});
      },
      [meter](settle_atom, const SettlementMessage& message) {
        const Settlement settlement = read_settlement(message);
        std::erase_if(meter->held, [&](const auto& each) {
          const auto& [call, serial] = each.first;
          return call == settlement.sandbox &&
                 (settlement.serial == 0 || serial == settlement.serial);
        });
      },
  };
}

}  // namespace cordon::test

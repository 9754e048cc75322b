#pragma once
// The refusals that one call's guest was given, so that an uncaught one can be told from a
// look-alike. Bounded: however many are given, only the newest kMaxKept of those before the
// operation budget ran out are kept, and one that stands for all after it.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "messages/session.capnp.h"

namespace cordon {

struct GivenDenial {
  std::uint64_t request = 0;
  std::string capability;
  std::string message;
  std::optional<std::string> target;
};

class GuestDenials {
 public:
  static constexpr std::size_t kMaxKept = 4096;

  // Requests are remembered in increasing order of their ids.
  void remember(std::uint64_t request, wire::Denial::Reader denial);
  // The refusal that the host gave for `request`, if it gave one.
  std::optional<GivenDenial> find(std::uint64_t request) const;

 private:
  std::deque<GivenDenial> kept_;
  // From this request on every one was refused for the operation budget.
  std::optional<GivenDenial> exhausted_;
};

}  // namespace cordon

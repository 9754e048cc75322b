#pragma once
// One mechanism of the lockdown alone, and what it alone must stop.
//
// Where everything stands, the system call filter answers first and hides whether the walls behind
// it would hold. So each mechanism is also put up by itself, in a process of its own, and attacked;
// the same attempt is then made without it, to see that the mechanism was what stopped it.

#include <string>

namespace cordon::engine {

// What attempts are aimed at, prepared by the host.
struct Bait {
  std::string file;          // everybody may read it
  std::string private_file;  // only its owner, the host's user, may
  std::string port;          // of a listener on loopback
  std::string socket;        // a listener's abstract name
  std::string memory;        // id of a System V segment that everybody may read
};

// One line of tab-separated fields: "held", mechanism, detail; "broken", mechanism, detail;
// "missing", mechanism, message, remedy: it cannot be put up here; "needless", mechanism, detail:
// this host stops the attempt without it as well, so that the mechanism itself was not tested.
// Empty: no such layer. Single-threaded.
std::string try_layer(const std::string& name, const Bait& bait);

}  // namespace cordon::engine

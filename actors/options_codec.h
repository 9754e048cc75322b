#pragma once
// AISandboxOptions to and from their wire form (grants.capnp). No validation: that is Authority's.

#include <cordon/options.h>

#include "messages/grants.capnp.h"

namespace cordon {

void write_options(wire::Options::Builder out, const AISandboxOptions& options);
AISandboxOptions read_options(wire::Options::Reader in);

}  // namespace cordon

#pragma once
// The last strokes at the view that bubblewrap has built, for which it has no options.
//
// Invariant: afterwards no mount but the named ones can be executed from, and only the scratch
// directory and the writable roots can be written to.

#include <optional>

#include "engine/command/command_identity.h"
#include "engine/command/launch_request.h"

namespace cordon::engine {

struct FinishedView {
  bool owners_mapped = false;  // all roots show root's files as the command's own
};

// `identity`: who the command will be; none when the launcher's user stays.
Result<FinishedView, StartFailure> finish_view(wire::Launch::Reader launch,
                                               const std::optional<CommandIdentity>& identity);

}  // namespace cordon::engine

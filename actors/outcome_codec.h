#pragma once
// The public Outcome from its message.

#include <cordon/outcome.h>

#include "actors/message_types.h"

namespace cordon {

Outcome read_outcome(const OutcomeMessage& message);

}  // namespace cordon

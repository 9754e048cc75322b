#pragma once
// The public Outcome from its message. The way back is in message_codec.cpp.

#include <cordon/outcome.h>

#include "actors/wire_messages.h"

namespace cordon {

Outcome read_outcome(const OutcomeMessage& message);

// The same, without the texts.
struct OutcomeEnd {
  Status status = Status::kUnavailable;
  Usage usage;
};
OutcomeEnd read_end(const OutcomeMessage& message);

}  // namespace cordon

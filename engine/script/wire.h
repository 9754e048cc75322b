#pragma once
// The session's messages, for files that also include the engine's headers: those define a macro
// that Cap'n Proto uses as a name.

#pragma push_macro("CAPABILITY")
#undef CAPABILITY
#include "messages/frame.h"
#include "messages/payload.h"
#include "session.capnp.h"
#pragma pop_macro("CAPABILITY")

#pragma once
// The actors' messages with what they are made of: for code that builds and reads them itself.

#include <cordon/actor_interfaces.h>

#include "messages/audit.capnp.h"
#include "messages/call.capnp.h"
#include "messages/payload.h"
#include "messages/session.capnp.h"

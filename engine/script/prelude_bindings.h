#pragma once
// The natives of engine/js/bindings.d.ts: what the prelude builds the guest's globals from. Guest
// code never sees them. Without a call (while the prelude itself loads) they do nothing.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

namespace cordon::engine {

// Null, with an exception, when memory ran out.
JSObject* create_prelude_bindings(JSContext* cx);

}  // namespace cordon::engine

#pragma once
// SandboxDeniedError: the class that guest code sees, and the genuine instances.
//
// Guest code may construct look-alikes. Only objects that were made here, for a refusal of the
// host, are linked to a request.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <cstdint>

#include "engine/script/wire.h"

namespace cordon::engine {

class Denials {
 public:
  // `prototype` is the class's, frozen.
  Denials(JSContext* cx, JS::HandleObject prototype)
      : cx_(cx), prototype_(cx, prototype), requests_(cx) {}

  // A new instance for the refusal of `request`. `stack` may be null. Null, with an exception, when
  // memory ran out.
  JSObject* create(const wire::Denial::Reader& denial, std::uint64_t request,
                   JS::HandleObject stack);

  // The request whose refusal `thrown` is; 0 when it is none.
  std::uint64_t request_of(JS::HandleValue thrown) const;

 private:
  JSContext* cx_;
  JS::PersistentRootedObject prototype_;
  JS::PersistentRootedObject requests_;  // a WeakMap from instance to request id; made when needed
};

}  // namespace cordon::engine

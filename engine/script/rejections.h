#pragma once
// Promises that were rejected while nobody handled them, oldest first.

#include <js/GCVector.h>
#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

namespace cordon::engine {

class Rejections {
 public:
  explicit Rejections(JSContext* cx) : promises_(cx) {}

  // Memory may run out while noting one: then it is forgotten.
  void changed(JS::HandleObject promise, bool handled);

  // Null when there is none.
  JSObject* first() const { return promises_.empty() ? nullptr : promises_[0].get(); }

 private:
  JS::PersistentRootedObjectVector promises_;
};

}  // namespace cordon::engine

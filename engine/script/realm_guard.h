#pragma once
// Every built-in object as it was before guest code ran: put back, and held, while tests judge a
// program (engine/js/prelude/realm_guard.js decides what that means and does what is seldom
// needed).
//
// Looking at everything takes about 0.1 ms, which is why it is done here: no object is made for it.

#include <js/GCVector.h>
#include <js/Id.h>
#include <js/PropertyDescriptor.h>
#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cordon::engine {

class RealmGuard {
 public:
  // `hooks` is what the prelude's install() returned. Null with an exception.
  static std::unique_ptr<RealmGuard> create(JSContext* cx, JS::HandleObject hooks);

  // False, with an exception, when something cannot be put back: the message says what.
  bool restore();
  // After restore(): no built-in object can be changed any more, but for what tests replace.
  bool hold();

  // The globals that are held, never `eval`, and the value of the i-th.
  const std::vector<std::string>& names() const noexcept { return names_; }
  JS::HandleValue value(std::size_t i) const { return values_[i]; }

 private:
  struct Entry {
    std::size_t first;  // of its properties
    std::size_t end;
    bool may_have_more;  // properties than are known
    bool held;
    bool frozen;
  };

  explicit RealmGuard(JSContext* cx);
  bool read(JS::HandleObject hooks);
  bool read_entry(JS::HandleObject record);
  bool read_globals(JS::HandleObject hooks);
  // Nothing: an exception.
  std::optional<bool> is_unchanged(std::size_t at);
  bool repair(std::size_t at);

  JSContext* cx_;
  JS::PersistentRootedValue repair_;
  std::vector<Entry> entries_;
  // Parallel to entries_.
  JS::PersistentRootedObjectVector records_;
  JS::PersistentRootedObjectVector objects_;
  JS::PersistentRootedObjectVector prototypes_;
  // Of all entries.
  JS::PersistentRooted<JS::GCVector<JS::PropertyKey>> keys_;
  JS::PersistentRooted<JS::GCVector<JS::PropertyDescriptor>> before_;
  struct HeldProperty {
    std::size_t entry;
    std::size_t property;
  };
  std::vector<HeldProperty> held_;  // those that freezing their object would hold wrongly
  JS::PersistentRooted<JS::GCVector<JS::PropertyDescriptor>> held_descriptors_;
  std::vector<std::string> names_;
  JS::PersistentRootedVector<JS::Value> values_;
};

}  // namespace cordon::engine

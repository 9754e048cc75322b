#include "engine/script/realm_guard.h"

#include <js/Array.h>
#include <js/CallAndConstruct.h>
#include <js/Equality.h>
#include <js/PropertyAndElement.h>
#include <js/ValueArray.h>
#include <jsapi.h>

#include <utility>

#include "engine/script/errors.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/text.h"

namespace cordon::engine {

namespace {

using Descriptor = JS::Rooted<mozilla::Maybe<JS::PropertyDescriptor>>;

JSObject* object_member(JSContext* cx, JS::HandleObject object, const char* name) {
  JS::RootedValue value(cx);
  return JS_GetProperty(cx, object, name, &value) && value.isObject() ? &value.toObject() : nullptr;
}

std::optional<bool> flag(JSContext* cx, JS::HandleObject object, const char* name) {
  JS::RootedValue value(cx);
  if (!JS_GetProperty(cx, object, name, &value)) return std::nullopt;
  return value.isTrue();
}

// Calls `each` with every element of an array of the prelude's. False: an exception.
template <class Each>
bool for_each(JSContext* cx, JS::HandleObject array, Each each) {
  std::uint32_t length = 0;
  JS::RootedValue element(cx);
  if (!array || !JS::GetArrayLength(cx, array, &length)) return false;
  for (std::uint32_t i = 0; i < length; ++i) {
    if (!JS_GetElement(cx, array, i, &element) || !each(element)) return false;
  }
  return true;
}

bool same_function(bool has, const JSObject* now, const JSObject* before) {
  return (has ? now : nullptr) == before;
}

}  // namespace

RealmGuard::RealmGuard(JSContext* cx)
    : cx_(cx),
      repair_(cx),
      records_(cx),
      objects_(cx),
      prototypes_(cx),
      keys_(cx, JS::GCVector<JS::PropertyKey>(cx)),
      before_(cx, JS::GCVector<JS::PropertyDescriptor>(cx)),
      held_descriptors_(cx, JS::GCVector<JS::PropertyDescriptor>(cx)),
      values_(cx) {}

std::unique_ptr<RealmGuard> RealmGuard::create(JSContext* cx, JS::HandleObject hooks) {
  std::unique_ptr<RealmGuard> guard(new RealmGuard(cx));
  return guard->read(hooks) ? std::move(guard) : nullptr;
}

bool RealmGuard::read(JS::HandleObject hooks) {
  if (!JS_GetProperty(cx_, hooks, "repair", &repair_)) return false;
  JS::RootedObject records(cx_, object_member(cx_, hooks, "realm"));
  JS::RootedObject record(cx_);
  const bool all = for_each(cx_, records, [&](JS::HandleValue value) {
    record = &value.toObject();
    return read_entry(record);
  });
  return all && read_globals(hooks);
}

bool RealmGuard::read_entry(JS::HandleObject record) {
  JS::RootedObject object(cx_, object_member(cx_, record, "object"));
  JS::RootedObject prototype(cx_, object_member(cx_, record, "prototype"));
  JS::RootedObject properties(cx_, object_member(cx_, record, "properties"));
  if (!object || !records_.append(record) || !objects_.append(object) ||
      !prototypes_.append(prototype)) {
    return false;
  }
  const auto is_global = flag(cx_, record, "isGlobal");
  const auto is_held = flag(cx_, record, "isHeld");
  const auto is_frozen = flag(cx_, record, "isFrozen");
  if (!is_global || !is_held || !is_frozen) return false;
  Entry entry{keys_.length(), keys_.length(), *is_global, *is_held, *is_frozen};
  JS::RootedObject property(cx_);
  JS::RootedValue value(cx_);
  JS::RootedId key(cx_);
  JS::Rooted<JS::PropertyDescriptor> descriptor(cx_);
  const bool all = for_each(cx_, properties, [&](JS::HandleValue element) {
    property = &element.toObject();
    if (!JS_GetProperty(cx_, property, "key", &value) || !JS_ValueToId(cx_, value, &key) ||
        !JS_GetProperty(cx_, property, "descriptor", &value) ||
        !JS::ObjectToCompletePropertyDescriptor(cx_, object, value, &descriptor) ||
        !keys_.append(key) || !before_.append(descriptor) ||
        !JS_GetProperty(cx_, property, "held", &value)) {
      return false;
    }
    if (value.isUndefined()) return true;
    held_.push_back({entries_.size(), keys_.length() - 1});
    return JS::ObjectToCompletePropertyDescriptor(cx_, object, value, &descriptor) &&
           held_descriptors_.append(descriptor);
  });
  entry.end = keys_.length();
  entries_.push_back(entry);
  return all;
}

bool RealmGuard::read_globals(JS::HandleObject hooks) {
  JS::RootedObject globals(cx_, object_member(cx_, hooks, "heldGlobals"));
  if (!globals) return false;
  JS::RootedObject names(cx_, object_member(cx_, globals, "names"));
  JS::RootedObject values(cx_, object_member(cx_, globals, "values"));
  return for_each(cx_, names,
                  [&](JS::HandleValue value) {
                    JS::RootedString string(cx_, value.toString());
                    auto text = to_utf8(cx_, string, Surrogates::kReplace);
                    if (text) names_.push_back(std::move(text->text));
                    return text.has_value();
                  }) &&
         for_each(cx_, values, [&](JS::HandleValue value) { return values_.append(value); });
}

std::optional<bool> RealmGuard::is_unchanged(std::size_t at) {
  const Entry& entry = entries_[at];
  JS::HandleObject object = objects_[at];
  JS::RootedObject prototype(cx_);
  if (!JS_GetPrototype(cx_, object, &prototype)) return std::nullopt;
  if (prototype != prototypes_[at]) return false;
  Descriptor now(cx_);
  for (std::size_t i = entry.first; i < entry.end; ++i) {
    if (!JS_GetOwnPropertyDescriptorById(cx_, object, keys_[i], &now)) return std::nullopt;
    const JS::PropertyDescriptor& before = before_[i].get();
    if (now.isNothing() || now->isDataDescriptor() != before.isDataDescriptor()) return false;
    if (before.isDataDescriptor()) {
      JS::RootedValue value(cx_, now->value());
      JS::RootedValue expected(cx_, before.value());
      bool same = false;
      if (!JS::SameValue(cx_, value, expected, &same)) return std::nullopt;
      if (!same) return false;
    } else if (!same_function(now->hasGetter(), now->getter(), before.getter()) ||
               !same_function(now->hasSetter(), now->setter(), before.setter())) {
      return false;
    }
  }
  if (entry.may_have_more) return true;
  const auto count = sm::own_key_count(cx_, object);
  if (!count) return std::nullopt;
  return *count == entry.end - entry.first;
}

bool RealmGuard::repair(std::size_t at) {
  JS::RootedValueArray<1> arguments(cx_);
  arguments[0].setObject(*records_[at]);
  JS::RootedValue problem(cx_);
  if (!JS::Call(cx_, JS::UndefinedHandleValue, repair_, arguments, &problem)) return false;
  if (!problem.isString()) return true;
  JS::RootedString string(cx_, problem.toString());
  const auto what = to_utf8(cx_, string, Surrogates::kReplace);
  return what && throw_error(cx_, JSEXN_ERR,
                             "the program changed a built-in object for good (" + what->text +
                                 "), so its tests were not run");
}

bool RealmGuard::restore() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto unchanged = is_unchanged(i);
    if (!unchanged || (!*unchanged && !repair(i))) return false;
  }
  return true;
}

bool RealmGuard::hold() {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    // What a program made permanent already stays as it is: it reads as it should.
    JS::ObjectOpResult ignored;
    if (!JS_DefinePropertyById(cx_, objects_[held_[i].entry], keys_[held_[i].property],
                               held_descriptors_[i], ignored)) {
      return false;
    }
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].held && entries_[i].frozen && !JS_FreezeObject(cx_, objects_[i])) return false;
  }
  return true;
}

}  // namespace cordon::engine

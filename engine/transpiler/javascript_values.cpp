#include "engine/transpiler/javascript_values.h"

#include <array>
#include <cstring>

#include <swc.h>

#include "engine/transpiler/swc_instance.h"

namespace cordon::transpiler {
namespace {

enum class Kind : std::uint8_t {
  kUndefined,
  kNull,
  kFalse,
  kTrue,
  kText,
  kNumber,
  kSymbol,
  kObject,   // `index`: in objects
  kEntries,  // of the object `index`
  kEntry,    // property `second` of the object `index`: an array of name and value
};

struct Value {
  Kind kind = Kind::kUndefined;
  std::string_view text = {};
  std::uint32_t index = 0;
  std::uint32_t second = 0;
};

struct Named {
  std::string_view name;
  Value value;
};

struct Object {
  std::array<Named, 16> properties;
  std::uint32_t count = 0;
};

// Generated code knows these four by number.
constexpr Handle kFirstConstant = 128;
constexpr std::array<Kind, 4> kConstants{Kind::kUndefined, Kind::kNull, Kind::kTrue, Kind::kFalse};
constexpr Handle kFirstFree = kFirstConstant + kConstants.size();

// A run makes fewer than a hundred values and some kilobytes of names besides its two texts.
constexpr std::size_t kMaxValues = 4096;
constexpr std::size_t kMaxObjects = 16;
constexpr std::size_t kTextBytes = std::size_t{4} << 20;

std::array<Value, kMaxValues> values;
std::uint32_t value_count = 0;
std::array<Object, kMaxObjects> objects;
std::uint32_t object_count = 0;
std::array<char, kTextBytes> texts;
std::size_t text_bytes = 0;

struct Marks {
  std::uint32_t values = 0;
  std::uint32_t objects = 0;
  std::size_t text_bytes = 0;
};
Marks kept;

[[noreturn]] void trap() { wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE); }

Handle add(Value value) {
  if (value_count == values.size()) trap();
  values[value_count] = value;
  return kFirstFree + value_count++;
}

Value at(Handle handle) {
  if (handle >= kFirstFree) {
    if (handle - kFirstFree >= value_count) trap();
    return values[handle - kFirstFree];
  }
  if (handle < kFirstConstant) return {};
  return {kConstants[handle - kFirstConstant]};
}

std::uint32_t add_object() {
  if (object_count == objects.size()) trap();
  objects[object_count].count = 0;
  return object_count++;
}

void set(std::uint32_t object, std::string_view name, Value value) {
  Object& target = objects[object];
  if (target.count == target.properties.size()) trap();
  target.properties[target.count++] = {name, value};
}

const Value* find(std::uint32_t object, std::string_view name) {
  const Object& target = objects[object];
  for (std::uint32_t i = 0; i < target.count; ++i) {
    if (target.properties[i].name == name) return &target.properties[i].value;
  }
  return nullptr;
}

Value property(Value object, Value key) {
  if (object.kind != Kind::kObject) trap();
  if (key.kind == Kind::kSymbol) return {};
  if (key.kind != Kind::kText) trap();
  const Value* const found = find(object.index, key.text);
  return found != nullptr ? *found : Value{};
}

bool is_nothing(Value value) { return value.kind == Kind::kUndefined || value.kind == Kind::kNull; }

wasm_rt_memory_t& memory() { return *Z_swcZ_memory(&swc_instance()); }

std::string_view read(std::uint32_t address, std::uint32_t size) {
  if (std::uint64_t{address} + size > memory().size) trap();
  return {reinterpret_cast<const char*>(memory().data) + address, size};
}

void write(std::uint32_t address, const void* bytes, std::size_t size) {
  if (address + size > memory().size) trap();
  std::memcpy(memory().data + address, bytes, size);
  transpiler_note_range(address, size);
}

void write_u32(std::uint32_t address, std::uint32_t value) { write(address, &value, sizeof value); }

}  // namespace

void keep_values() { kept = {value_count, object_count, text_bytes}; }

Arguments make_arguments(std::string_view source) {
  value_count = kept.values;
  object_count = kept.objects;
  text_bytes = kept.text_bytes;
  const std::uint32_t transform = add_object();
  set(transform, "nativeClassProperties", {Kind::kTrue});
  set(transform, "noEmptyExport", {Kind::kTrue});
  const std::uint32_t options = add_object();
  set(options, "mode", {Kind::kText, "transform"});
  set(options, "module", {Kind::kTrue});
  set(options, "filename", {Kind::kText, "main.ts"});
  set(options, "sourceMap", {Kind::kTrue});
  set(options, "transform", {Kind::kObject, {}, transform});
  return {add({Kind::kText, source}), add({Kind::kObject, {}, options})};
}

Property text_property(Handle handle, std::string_view name) {
  if (handle < kFirstFree || handle - kFirstFree >= value_count) return {};
  const Value object = values[handle - kFirstFree];
  if (object.kind != Kind::kObject) return {};
  const Value* const found = find(object.index, name);
  if (found == nullptr || found->kind != Kind::kText) return {};
  return {true, found->text};
}

// The imports, by the names that wasm-bindgen has given them. The build makes a trap of all that
// are not here.
extern "C" {

#define IMPORT(result, name) \
  result Z___wbindgen_placeholder__Z___##name(struct Z___wbindgen_placeholder___instance_t*

IMPORT(u32, wbindgen_is_falsy), u32 handle) {
  const Value value = at(handle);
  if (value.kind == Kind::kNumber) trap();
  return is_nothing(value) || value.kind == Kind::kFalse ||
         (value.kind == Kind::kText && value.text.empty());
}

IMPORT(u32, wbindgen_is_object), u32 handle) {
  const Kind kind = at(handle).kind;
  return kind == Kind::kObject || kind == Kind::kEntries || kind == Kind::kEntry;
}

IMPORT(u32, wbindgen_is_string), u32 handle) { return at(handle).kind == Kind::kText; }

IMPORT(u32, wbindgen_is_undefined), u32 handle) { return at(handle).kind == Kind::kUndefined; }

// No value here is one.
IMPORT(u32, wbindgen_is_function), u32) { return 0; }

IMPORT(u32, wbindgen_jsval_loose_eq), u32 left, u32 right) {
  // It compares with null alone.
  if (!is_nothing(at(right))) trap();
  return is_nothing(at(left));
}

IMPORT(u32, wbindgen_boolean_get), u32 handle) {
  const Kind kind = at(handle).kind;
  return kind == Kind::kTrue ? 1 : kind == Kind::kFalse ? 0 : 2;
}

// Writes address and size of a copy in generated code's own memory; address 0 for what is no text.
IMPORT(void, wbindgen_string_get), u32 result, u32 handle) {
  const Value value = at(handle);
  std::uint32_t address = 0;
  if (value.kind == Kind::kText) {
    const auto size = static_cast<std::uint32_t>(value.text.size());
    address = Z_swcZ___wbindgen_export_2(&swc_instance(), size, 1);
    write(address, value.text.data(), value.text.size());
    write_u32(result + 4, size);
  }
  write_u32(result, address);
}

IMPORT(u32, wbindgen_string_new), u32 address, u32 size) {
  const std::string_view text = read(address, size);
  if (size > texts.size() - text_bytes) trap();
  char* const copy = texts.data() + text_bytes;
  std::memcpy(copy, text.data(), text.size());
  text_bytes += text.size();
  return add({Kind::kText, {copy, text.size()}});
}

IMPORT(u32, wbindgen_number_new), double) { return add({Kind::kNumber}); }

IMPORT(u32, wbindgen_object_clone_ref), u32 handle) { return add(at(handle)); }

// All go together, with the next request.
IMPORT(void, wbindgen_object_drop_ref), u32) {}

IMPORT(u32, wbindgen_in), u32 key, u32 object) {
  const Value target = at(object);
  const Value name = at(key);
  if (target.kind != Kind::kObject || name.kind != Kind::kText) trap();
  return find(target.index, name.text) != nullptr;
}

IMPORT(u32, wbg_getwithrefkey_1dc361bd10053bfe), u32 object, u32 key) {
  return add(property(at(object), at(key)));
}

IMPORT(u32, wbg_get_67b2ba62fc30de12), u32 object, u32 key) {
  return add(property(at(object), at(key)));
}

IMPORT(u32, wbg_iterator_9a24c88df860dc65)) { return add({Kind::kSymbol}); }

IMPORT(u32, wbg_entries_3265d4158b33e5dc), u32 handle) {
  const Value object = at(handle);
  if (object.kind != Kind::kObject) trap();
  return add({Kind::kEntries, {}, object.index});
}

IMPORT(u32, wbg_length_e2d2a49132c1b256), u32 handle) {
  const Value array = at(handle);
  if (array.kind == Kind::kEntry) return 2;
  if (array.kind != Kind::kEntries) trap();
  return objects[array.index].count;
}

IMPORT(u32, wbg_get_b9b93047fe3cf45b), u32 handle, u32 at_index) {
  const Value array = at(handle);
  if (array.kind == Kind::kEntries) {
    if (at_index >= objects[array.index].count) trap();
    return add({Kind::kEntry, {}, array.index, at_index});
  }
  if (array.kind != Kind::kEntry || at_index > 1) trap();
  const Named& entry = objects[array.index].properties[array.second];
  return add(at_index == 0 ? Value{Kind::kText, entry.name} : entry.value);
}

IMPORT(u32, wbg_new_405e22f390576ce2)) { return add({Kind::kObject, {}, add_object()}); }

IMPORT(void, wbg_set_3f1d0b984ed272ed), u32 object, u32 key, u32 value) {
  const Value target = at(object);
  const Value name = at(key);
  if (target.kind != Kind::kObject || name.kind != Kind::kText) trap();
  set(target.index, name.text, at(value));
}

#undef IMPORT

}  // extern "C"

}  // namespace cordon::transpiler

#pragma once
// What the two directions of the value codec share: the tags of the JSON form, base64, and paths.
//
//   {"$num":"NaN"|"Infinity"|"-Infinity"|"-0"}   {"$undefined":true}   {"$bigint":"-12"}
//   {"$date":ms}, an invalid one {"$date":{"$num":"NaN"}}              {"$bytes":"base64"}
//   {"$map":[[k,v],…]}   {"$set":[v,…]}   {"$error":{"name":…,"message":…,"stack":…}}
//   {"$object":[["key",v],…]}: an object whose first own key is one of these tags
//
// An object with exactly one key, a tag, is that tag. Read back, $bytes is a Uint8Array.

#include <js/GCVector.h>
#include <js/Id.h>
#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::engine {

inline constexpr std::size_t kMaxValueDepth = 1000;

enum class Tag : std::uint8_t {
  kNumber,
  kUndefined,
  kBigInt,
  kDate,
  kBytes,
  kMap,
  kSet,
  kError,
  kObject,
};

// Without quotes, e.g. "$num".
std::string_view tag_name(Tag tag);
std::optional<Tag> tag_of(std::string_view key);
// The tag that a property key spells.
std::optional<Tag> tag_of(JS::HandleId key);

std::size_t base64_size(std::size_t bytes);
void append_base64(std::span<const std::uint8_t> bytes, std::string& out);
// Standard alphabet, padded. Nothing when it is malformed.
std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text);

// Where in a value we are, for messages: "result.list[3].self". Cheap to keep, built when needed.
class ValuePath {
 public:
  ValuePath(JSContext* cx, const char* root) : cx_(cx), root_(root), keys_(cx) {}

  // False, with an exception, when memory ran out.
  bool enter_property(JS::HandleId key);
  void enter_index(std::size_t index);
  // Entry of a Map or Set, in order of insertion.
  void enter_entry(std::size_t index);
  void leave();

  std::size_t depth() const noexcept { return steps_.size(); }
  std::string text() const;

 private:
  struct Step {
    enum class Kind : std::uint8_t { kProperty, kIndex, kEntry } kind;
    std::size_t index;  // of kProperty: into keys_
  };

  JSContext* cx_;
  const char* root_;
  std::vector<Step> steps_;
  JS::RootedVector<JS::PropertyKey> keys_;
};

}  // namespace cordon::engine

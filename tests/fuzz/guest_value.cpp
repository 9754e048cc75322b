// The engine's codec, in this process: tagged JSON becomes a value or an exception, and a value
// that was decoded is encoded to text that decodes again.

#include <js/Exception.h>
#include <js/RootingAPI.h>
#include <jsapi.h>

#include <memory>

#include "engine/script/runtime.h"
#include "engine/script/value_decoder.h"
#include "engine/script/value_encoder.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

engine::Runtime& runtime() {
  static engine::Runtime* const kRuntime = [] {
    auto created = engine::Runtime::create({.jit = false});
    fuzz::require(created.has_value(), "the engine does not start");
    return created->release();
  }();
  return *kRuntime;
}

}  // namespace

// What the engine's heap owns hangs on boxed pointers, which the leak checker cannot follow.
extern "C" const char* __lsan_default_suppressions() { return "leak:libmozjs\n"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  JSContext* const cx = runtime().context();
  JS::RootedValue value(cx);
  if (!engine::decode_value(cx, fuzz::as_text(data, size), "argument", &value)) {
    fuzz::require(JS_IsExceptionPending(cx), "decoding fails without a reason");
    JS_ClearPendingException(cx);
    return 0;
  }
  const auto text = engine::encode_value(cx, value, "result", kMaxBytes);
  fuzz::require(!JS_IsExceptionPending(cx), "encoding leaves an exception");
  if (!text) return 0;  // what it decoded to is larger than the limit
  JS::RootedValue again(cx);
  fuzz::require(engine::decode_value(cx, *text, "argument", &again),
                "encoded text does not decode");
  const auto same = engine::encode_value(cx, again, "result", kMaxBytes);
  fuzz::require(same.has_value() && *same == *text, "encoding is not stable");
  return 0;
}

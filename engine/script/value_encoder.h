#pragma once
// Guest values to tagged JSON text (see value_format.h), as structured cloning would copy them:
// own enumerable properties, own getters run. toJSON, patched prototypes, iterators and inherited
// accessors take no part. Shared references are written out each time; the limit bounds that.
//
// What cannot cross is an error that names its path: cycles, functions, symbols, regular
// expressions, promises and other objects of the engine, proxies and getters that throw, nesting
// over 1,000.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <cstddef>
#include <string>

#include "messages/result.h"

namespace cordon::engine {

struct EncodeError {
  enum class Kind : std::uint8_t {
    kBadValue,
    kTooLarge,  // the text would have more than `max_bytes`
    kStopped,   // guest code was ended for good, or memory ran out
  };
  Kind kind = Kind::kBadValue;
  std::string message;
};

// `root` names the value in paths, e.g. "result". No exception is pending afterwards.
Result<std::string, EncodeError> encode_value(JSContext* cx, JS::HandleValue value,
                                              const char* root, std::size_t max_bytes);

}  // namespace cordon::engine

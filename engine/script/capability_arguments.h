#pragma once
// The arguments of capability calls, read from guest values without any coercion: a value has the
// right type or the call is a TypeError that names the argument. What is an object is read once,
// property by property; getters run in the guest, and what they return is checked like all else.
//
// Functions return nothing, with an exception, when an argument is refused.

#include <js/CallArgs.h>
#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/script/text.h"

namespace cordon::engine {

struct HttpArguments {
  std::string url;
  std::optional<std::string> method;
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::string> body;
};

class ArgumentReader {
 public:
  // `function` is the capability's name, for messages.
  ArgumentReader(JSContext* cx, const JS::CallArgs& args, const char* function) noexcept
      : cx_(cx), args_(args), function_(function) {}

  // A name, path or the like: refused when it is absurdly long.
  std::optional<std::string> text(unsigned index, const char* name);
  // Text to be written or sent: cut where the host refuses it for its length (ChildLimits).
  std::optional<std::string> content(unsigned index, const char* name);
  // An array of strings; absent is empty.
  std::optional<std::vector<std::string>> texts(unsigned index, const char* name);
  // (url: string | URL, init?: {method?, headers?, body?})
  std::optional<HttpArguments> http();

 private:
  std::optional<std::string> string(JS::HandleValue value, const std::string& name);
  std::optional<std::string> content(JS::HandleValue value, const std::string& name);
  std::optional<std::string> url();
  bool read_init(JS::HandleObject init, HttpArguments& http);
  bool read_headers(JS::HandleValue value, HttpArguments& http);
  bool read_header_pairs(JS::HandleObject pairs, HttpArguments& http);
  bool read_header_object(JS::HandleObject object, HttpArguments& http);
  bool to_array(JS::HandleValue value, const std::string& name, const char* expected,
                JS::MutableHandleObject array);
  std::optional<std::uint32_t> array_length(JS::HandleObject array, const std::string& name,
                                            std::uint32_t max);
  // A TypeError: "`name` must be …, not …".
  bool refuse(const std::string& name, const char* expected, JS::HandleValue value);
  bool refuse(const std::string& text);

  JSContext* cx_;
  const JS::CallArgs& args_;
  const char* function_;
  std::size_t bytes_ = 0;  // of names and the like read so far
};

}  // namespace cordon::engine

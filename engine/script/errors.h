#pragma once
// Errors in both directions: thrown by natives into guest code, and read from what guest code
// threw.
//
// Reading runs no guest code: getters, proxies and patched prototypes are looked at, never called.

#include <js/ErrorReport.h>
#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <string>
#include <string_view>

namespace cordon::engine {

// Sets a pending exception of `type`. `message` is well-formed UTF-8. Returns false.
bool throw_error(JSContext* cx, JSExnType type, std::string_view message);

// Turns a C++ exception that is being handled into a pending exception. Returns false.
bool throw_current_exception(JSContext* cx);

// "undefined", "a string", "an array", ...: for messages.
const char* describe_kind(JSContext* cx, JS::HandleValue value);

struct ErrorText {
  std::string name;  // "Error" when nothing better is known
  std::string message;
  std::string stack;  // empty when there is none
};

// What an uncaught value says. All three are well-formed UTF-8 and length-capped.
ErrorText read_error(JSContext* cx, JS::HandleValue thrown);

// "TypeError: x is not a function": one line about a value that was thrown on the way.
std::string summarise_error(JSContext* cx, JS::HandleValue thrown);

}  // namespace cordon::engine

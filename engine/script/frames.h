#pragma once
// The frames that a child writes, built from plain values.

#include <cstdint>
#include <string_view>

#include "engine/script/errors.h"
#include "engine/script/wire.h"

namespace cordon::engine {

struct Failure {
  wire::Failure::Kind kind = wire::Failure::Kind::THREW;
  ErrorText error;
  std::uint64_t denied_by = 0;  // id of the refused request whose error this very object is
  std::uint32_t line = 0;       // syntax: 1-based
  std::uint32_t column = 0;
  bool in_tests = false;
};

// `json` is well-formed UTF-8.
Payload result_frame(std::string_view json);
Payload failure_frame(const Failure& failure);
Payload console_frame(wire::ConsoleText::Level level, std::string_view text, bool truncated);

}  // namespace cordon::engine

#pragma once
// What the host and cordon-transpiler say to each other over one stream, in little-endian 32-bit
// numbers and bytes. Both sides are of one build, which the greeting proves.
//
//   greeting   kGreeting, build id, " swc ", version of swc, line break; when it can take requests
//   request    length of what follows, id, then TypeScript in UTF-8
//   answer     length of what follows, id, Status, length of the code, then code, then its source
//   map
//
// Answers come in the order of the requests. The service has read hostile source: what it says is
// hostile as well, and only the host's decoder may read it.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::transpiler_protocol {

inline constexpr std::string_view kGreeting = "cordon-transpiler ";

inline constexpr std::size_t kLengthBytes = 4;  // the length, which does not count itself
inline constexpr std::size_t kIdBytes = 4;
inline constexpr std::size_t kAnswerFieldBytes = 8;  // status and length of the code

// Longer sources hold up those behind them: there is one thread.
inline constexpr std::size_t kMaxSourceBytes = std::size_t{32} << 10;

enum class Status : std::uint32_t {
  kDeclined = 0,  // no code: another compiler has to judge this source
  kDone = 1,
};

}  // namespace cordon::transpiler_protocol

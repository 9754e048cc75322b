#pragma once
// The TypeScript programs that the jobs run. Each is complete but for what makes it distinct.

#include <cstdint>
#include <string>
#include <string_view>

namespace cordon::load {

extern const std::string_view kAddOne;  // (x: number) => x + 1
extern const std::string_view
    kRoundTrips;  // (n) => [text, microseconds of each of n environment("A")]
extern const std::string_view kCompute;      // (scale: number) => a string that sums it all up
extern const std::string_view kIdle;         // prints "ready", then never settles
extern const std::string_view kEndlessLoop;  // never comes back
extern const std::string_view kEcho;         // (x) => x
extern const std::string_view kReadLength;   // (path: string) => characters of the file
extern const std::string_view kAskInVain;    // environment("NOT_GRANTED")

inline constexpr int kComputeScale = 200;
inline constexpr int kShortComputeScale = 20;
// What kCompute comes to at each scale: JSON texts.
extern const std::string_view kComputeResult;
extern const std::string_view kShortComputeResult;

// The program with a first line that no other number has, so that no cache can know it.
std::string distinct_source(std::string_view program, std::uint64_t number);

// About one megabyte of JSON: an array that holds one array of small objects.
std::string large_argument();

}  // namespace cordon::load

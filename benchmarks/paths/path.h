#pragma once
// The pieces of work of Cordon's host side that a call is made of, each by itself: benchmarks/micro
// takes their time, benchmarks/gate counts their instructions.
//
// A path is single-threaded and does the same in each run: fixed input, no clock, no randomness, no
// file that differs between machines.

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::paths {

using Work = std::function<void()>;

inline constexpr unsigned kNotCounted = 0;  // it cannot be run under valgrind

struct Path {
  std::string_view name;  // "frame/decode"
  // How often the gate runs the work: enough for some 10 million instructions. Or kNotCounted.
  unsigned repetitions = 1;
  // Makes what the work needs, does it once and checks what comes of it. Throws what is wrong.
  std::function<Work()> prepare;
};

std::vector<Path> all_paths();

// The parts of all_paths(), a file each.
std::vector<Path> message_paths();
std::vector<Path> value_paths();
std::vector<Path> grant_paths();
std::vector<Path> audit_paths();
std::vector<Path> compile_paths();

// Nothing that leads to `value` may be left out by the compiler.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

inline void expect(bool good, const char* what) {
  if (!good) throw std::logic_error(what);
}

}  // namespace cordon::paths

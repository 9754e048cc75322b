#pragma once
// What a hostile program would try, one attempt each, by name. Each does no harm where it succeeds.

#include <string>

namespace cordon::engine {

struct Attempt {
  bool reached = false;  // it did what no sandbox may allow
  std::string detail;    // how it was stopped, or what it reached; one line
};

// `argument` is what the attempt is aimed at: a path, a port, a number. An unknown name is
// `reached`: a probe that does nothing must not look like a wall that holds. May not return: where
// the attempt is answered by a signal, or executes another program.
Attempt attempt(const std::string& name, const std::string& argument);

// "reached DETAIL" or "stopped DETAIL".
std::string to_line(const Attempt& attempt);

}  // namespace cordon::engine

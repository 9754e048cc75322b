#pragma once
// The field `driver`: what the host does instead of "construct, call once, wait".

#include <string>

#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

// A list of steps for the parent, each {"do": NAME, …}:
//   start                   call() without waiting
//   call                    call() and wait for its end
//   join                    wait for the end of the call that was started
//   wait      ms
//   terminate times
//   drop                    destroy the sandbox
//   refused_call  pattern   call() must throw, with a message that matches (pattern may be "")
// Throws Unknown for a wording without a known meaning.
Json driver_steps(const std::string& words);

// Without a driver.
Json plain_driver_steps();

}  // namespace cordon::cases

#pragma once
// For tests that change their process for good.

#include <functional>
#include <string>

namespace cordon::test {

// What `body` returns in a forked process; what it throws, as text; or what the process died of. A
// failed assertion does not go on with the other tests in there.
std::string in_forked_process(const std::function<std::string()>& body);

}  // namespace cordon::test

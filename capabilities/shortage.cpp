#include "capabilities/shortage.h"

#include <cerrno>
#include <new>
#include <system_error>

namespace cordon {

bool is_shortage(int error) noexcept {
  return error == EMFILE || error == ENFILE || error == ENOMEM;
}

void throw_shortage(int error, const std::string& what) {
  if (is_shortage(error)) throw std::system_error(error, std::generic_category(), what);
}

const char* remedy_for_shortage(int error) noexcept {
  return error == ENOMEM ? "check the machine's memory and the kernel log"
                         : "raise the limit of open files";
}

void leave_room() { ::operator delete(::operator new(kMuchBytes)); }

OperationFailure out_of_memory(const std::string& what) {
  return {.message = what + " failed: " + kHostOutOfMemory, .reason = kHostOutOfMemory};
}

}  // namespace cordon

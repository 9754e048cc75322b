#include "capabilities/shortage.h"

#include <fcntl.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "messages/unique_fd.h"

namespace cordon {

bool is_shortage(int error) noexcept {
  return error == EMFILE || error == ENFILE || error == ENOMEM;
}

void throw_shortage(int error, const std::string& what) {
  if (is_shortage(error)) throw std::system_error(error, std::generic_category(), what);
}

const char* remedy_for_shortage(int error) noexcept {
  return error == ENOMEM ? kMoreMemory : kMoreDescriptors;
}

int shortage_of_descriptors() noexcept {
  if (UniqueFd(::open("/", O_PATH | O_CLOEXEC)) || !is_shortage(errno)) return 0;
  return errno;
}

void leave_room() { ::operator delete(::operator new(kMuchBytes)); }

OperationFailure out_of_memory(const std::string& what) {
  return {.message = what + " failed: " + kHostOutOfMemory, .reason = kHostOutOfMemory};
}

}  // namespace cordon

#include "capabilities/secret_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "capabilities/shortage.h"
#include "messages/unique_fd.h"

namespace cordon {

namespace {

constexpr std::size_t kMaxSecretBytes = std::size_t{64} << 10;

std::string read_to_end(const std::string& field, int fd) {
  std::string value(kMaxSecretBytes + 1, '\0');
  std::size_t size = 0;
  while (size < value.size()) {
    const ssize_t count = ::read(fd, value.data() + size, value.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw InvalidOption(field, std::string("cannot be read: ") + ::strerrordesc_np(errno));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > kMaxSecretBytes) throw InvalidOption(field, "must not be longer than 65536 bytes");
  value.resize(size);
  if (value.ends_with('\n')) value.pop_back();
  return value;
}

}  // namespace

std::string secret_from_environment(const std::string& field, const std::string& name) {
  const bool possible = !name.empty() && name.find('\0') == std::string::npos;
  const char* value = possible ? std::getenv(name.c_str()) : nullptr;
  if (value == nullptr) throw InvalidOption(field, "names an environment variable that is not set");
  return value;
}

std::string secret_from_file(const std::string& field, const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos)
    throw InvalidOption(field, "must name a file");
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC));
  if (!fd) {
    throw_shortage(errno, field + " cannot be opened");
    throw InvalidOption(field, std::string("cannot be opened: ") + ::strerrordesc_np(errno));
  }
  return read_to_end(field, fd.get());
}

std::string secret_from_descriptor(const std::string& field, int fd) {
  const int flags = ::fcntl(fd, F_GETFD);
  if (fd < 0 || flags < 0) throw InvalidOption(field, "is not an open descriptor");
  if (fd > STDERR_FILENO) static_cast<void>(::fcntl(fd, F_SETFD, flags | FD_CLOEXEC));
  return read_to_end(field, fd);
}

}  // namespace cordon

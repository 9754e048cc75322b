// `cordon-transpiler`: the quick TypeScript compiler. cordon-engine executes it, locked down for
// its whole life; it reads sources from its standard input and writes what became of each to its
// standard output, in order (messages/transpiler_protocol.h).

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include <swc_version.h>

#include "engine/transpiler/transpile.h"
#include "messages/build_id.h"
#include "messages/transpiler_protocol.h"

namespace cordon::transpiler {
namespace {

using namespace cordon::transpiler_protocol;

[[noreturn]] void leave(int status) { std::_Exit(status); }

// One request and the beginning of those behind it.
constexpr std::size_t kRequestHeaderBytes = kLengthBytes + kIdBytes;
alignas(16) char incoming[kRequestHeaderBytes + kMaxSourceBytes];

// Leaves when the host has closed its side.
std::size_t read_some(char* into, std::size_t size) {
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, into, size);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0 || errno != EINTR) leave(got == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
  }
}

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) leave(EXIT_FAILURE);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::uint32_t u32_at(const char* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// As one packet where it fits, since each write wakes the host.
alignas(16) char outgoing[std::size_t{64} << 10];

void answer(std::uint32_t id, std::string_view source) {
  const auto done = transpile(source);
  const std::string_view code = done ? done->code : std::string_view();
  const std::string_view map = done ? done->map : std::string_view();
  constexpr std::size_t kHeaderBytes = kLengthBytes + kIdBytes + kAnswerFieldBytes;
  const std::size_t size = kHeaderBytes + code.size() + map.size();
  const std::uint32_t header[] = {
      static_cast<std::uint32_t>(size - kLengthBytes), id,
      static_cast<std::uint32_t>(done ? Status::kDone : Status::kDeclined),
      static_cast<std::uint32_t>(code.size())};
  static_assert(sizeof header == kHeaderBytes);
  std::memcpy(outgoing, header, sizeof header);
  if (size > sizeof outgoing) {
    write_all({outgoing, sizeof header});
    write_all(code);
    return write_all(map);
  }
  if (done) {
    std::memcpy(outgoing + sizeof header, code.data(), code.size());
    std::memcpy(outgoing + sizeof header + code.size(), map.data(), map.size());
  }
  write_all({outgoing, size});
}

void greet() {
  for (const std::string_view part :
       {kGreeting, kBuildId, std::string_view(" swc "), kSwcVersion, std::string_view("\n")}) {
    write_all(part);
  }
}

[[noreturn]] void serve() {
  std::size_t filled = 0;
  while (true) {
    while (filled < kRequestHeaderBytes) {
      filled += read_some(incoming + filled, sizeof incoming - filled);
    }
    const std::size_t length = kLengthBytes + u32_at(incoming);
    if (length < kRequestHeaderBytes || length > sizeof incoming) leave(EXIT_FAILURE);
    while (filled < length) filled += read_some(incoming + filled, sizeof incoming - filled);
    answer(u32_at(incoming + kLengthBytes),
           {incoming + kRequestHeaderBytes, length - kRequestHeaderBytes});
    filled -= length;
    std::memmove(incoming, incoming + length, filled);
  }
}

}  // namespace
}  // namespace cordon::transpiler

int main() {
  if (!cordon::transpiler::prepare()) return EXIT_FAILURE;
  cordon::transpiler::greet();
  cordon::transpiler::serve();
}

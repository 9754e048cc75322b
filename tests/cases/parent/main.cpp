// The host program of one run of a case: it drives Cordon through the public headers and tells the
// runner, over its standard output, what came of it. It judges nothing.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>

#include "tests/cases/parent/host.h"
#include "tests/cases/runner/json_channel.h"

namespace {

using cordon::UniqueFd;
using cordon::cases::Host;
using cordon::cases::Json;
using cordon::cases::JsonChannel;

// Standard output is the channel: moved away, so that what Cordon starts does not inherit it.
JsonChannel take_channel() {
  UniqueFd channel(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 100));
  const UniqueFd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  ::dup2(nowhere.get(), STDOUT_FILENO);
  return JsonChannel(std::move(channel));
}

Json answer(Host& host, const Json& request) {
  if (request.contains("evaluate")) return host.evaluate(request["evaluate"]);
  if (request.contains("run")) return host.run(request["run"]);
  return host.events();
}

}  // namespace

int main() try {
  JsonChannel channel = take_channel();
  const auto setup = channel.receive();
  if (!setup) return 2;
  std::optional<Host> host;
  try {
    host.emplace(*setup);
  } catch (const cordon::Unavailable& error) {
    channel.send({{"unavailable", error.what()}});
    return 3;
  }
  channel.send({{"ready", true}});
  while (const auto request = channel.receive()) {
    if (request->contains("finish")) return 0;
    channel.send(answer(*host, *request));
  }
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "case_parent: %s\n", error.what());
  return 2;
}

// The engine as a tiny zygote without any lockdown: for each packet on descriptor 3, a fork serves
// the descriptor that came with it. The packet's serial is the child's RLIMIT_DATA above what is in
// use, 0 for none.

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "engine/script_engine.h"
#include "messages/descriptor_passing.h"
#include "spawn.capnp.h"

namespace {

constexpr int kControl = 3;

std::uint64_t data_bytes_in_use() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmData:")) return std::stoull(line.substr(7)) * 1024;
  }
  return 0;
}

[[noreturn]] void serve(cordon::engine::ScriptEngine& engine, int channel,
                        std::uint64_t data_limit) {
  if (data_limit != 0) {
    const rlim_t bytes = data_bytes_in_use() + data_limit;
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_DATA, &limit);
  }
  engine.after_fork();
  engine.serve(channel);
  ::_exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  ::setenv("TZ", "UTC", 1);
  ::signal(SIGCHLD, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  const bool jit = argc < 2 || std::string_view(argv[1]) != "--no-jit";
  auto engine = cordon::engine::ScriptEngine::create({jit});
  if (!engine) {
    std::cerr << engine.error() << '\n';
    return 1;
  }
  (*engine)->warm_up();
  for (;;) {
    const cordon::Packet packet = cordon::receive_packet(kControl);
    if (packet.payload.empty() || packet.descriptors.size() != 1) return 0;
    const auto request = cordon::Message<cordon::wire::ForkRequest>(packet.payload).read();
    if (::fork() == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      serve(**engine, packet.descriptors[0].get(), request->getSerial());
    }
  }
}

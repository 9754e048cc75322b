#include "actors/compile/service_launcher.h"

#include <esbuild_version.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "actors/compile/compiler_client.h"
#include "actors/compile/esbuild_protocol.h"

namespace cordon {
namespace {

class EngineService : public ServiceProcess {
 public:
  explicit EngineService(EngineProcess process) : process_(std::move(process)) {}

 private:
  EngineProcess process_;
};

StartFailure system_failure(const std::string& what, std::string remedy) {
  const int error = errno;
  return {"TypeScript compiler", what + ": " + std::generic_category().message(error),
          std::move(remedy)};
}

StartFailure wrong_service(std::string message) {
  return {"TypeScript compiler", std::move(message), "reinstall Cordon: its parts do not fit"};
}

bool wait_readable(int fd, std::chrono::steady_clock::time_point deadline) {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd entry{fd, POLLIN, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::max<long>(left.count(), 0)));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

// `size` bytes, or fewer when the other side ends or the time is over.
std::string read_exactly(int fd, std::size_t size, std::chrono::steady_clock::time_point deadline) {
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size && wait_readable(fd, deadline)) {
    const ssize_t got = ::recv(fd, bytes.data() + filled, size - filled, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) break;
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

// The first packet is the service's version alone.
std::optional<StartFailure> check_version(int fd, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  const std::string length = read_exactly(fd, esbuild::kLengthBytes, deadline);
  if (length.size() < esbuild::kLengthBytes) {
    return wrong_service("the compiler service ended or stayed silent at its start");
  }
  if (esbuild::read_u32(length) != kEsbuildVersion.size() ||
      read_exactly(fd, kEsbuildVersion.size(), deadline) != kEsbuildVersion) {
    return wrong_service("the compiler service is not esbuild " + std::string(kEsbuildVersion));
  }
  return std::nullopt;
}

Result<LaunchedService, StartFailure> launch_engine(EngineProcessOptions options,
                                                    const std::filesystem::path& esbuild) {
  const UniqueFd program(::open(esbuild.c_str(), O_RDONLY | O_CLOEXEC));
  if (!program) return system_failure(esbuild.string(), "install cordon-esbuild beside cordon");
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return system_failure("socketpair", "raise the limit of open files");
  }
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  options.standard_input = theirs.get();
  options.standard_output = theirs.get();
  options.extra_descriptors = {program.get()};
  Result<EngineProcess, StartFailure> started = EngineProcess::start(options);
  if (!started) return std::move(started).error();
  return LaunchedService{std::move(ours), std::make_unique<EngineService>(*std::move(started))};
}

}  // namespace

ServiceLauncher engine_launcher(const CompilerOptions& options) {
  EngineProcessOptions process;
  process.executable = options.launcher;
  process.arguments = {"compiler", "--memory-bytes", std::to_string(options.memory_bytes), "--",
                       "--service=" + std::string(kEsbuildVersion)};
  return [process, esbuild = options.esbuild] { return launch_engine(process, esbuild); };
}

Result<LaunchedService, StartFailure> launch_service(const ServiceLauncher& launcher,
                                                     std::chrono::milliseconds deadline) {
  Result<LaunchedService, StartFailure> launched = launcher();
  if (!launched) return launched;
  if (auto failure = check_version(launched->channel.get(), deadline)) return *std::move(failure);
  return launched;
}

}  // namespace cordon

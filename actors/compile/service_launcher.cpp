#include "actors/compile/service_launcher.h"

#include <esbuild_version.h>
#include <fcntl.h>
#include <poll.h>
#include <swc_version.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "actors/compile/compiler_client.h"
#include "actors/compile/esbuild_protocol.h"
#include "messages/build_id.h"
#include "messages/transpiler_protocol.h"

namespace cordon {
namespace {

class EngineService : public ServiceProcess {
 public:
  explicit EngineService(EngineProcess process) : process_(std::move(process)) {}

 private:
  EngineProcess process_;
};

constexpr const char* kMechanism = "TypeScript compiler";

StartFailure wrong_service(std::string message) {
  return {kMechanism, std::move(message), "reinstall Cordon: its parts do not fit"};
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

// What `greeting` says, for people.
std::string visible(std::string_view greeting) {
  greeting.remove_prefix(std::min(greeting.find_first_of("0123456789c"), greeting.size()));
  return std::string(greeting.substr(0, greeting.find('\n')));
}

std::optional<StartFailure> check_greeting(int fd, std::string_view greeting,
                                           std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  const std::string said = read_exactly(fd, greeting.size(), deadline);
  if (said == greeting) return std::nullopt;
  if (said.size() < esbuild::kLengthBytes) {
    StartFailure silent = wrong_service("the compiler service ended or stayed silent at its start");
    // It has no way to say that it cannot have the threads that it needs.
    silent.remedy = std::string(kMoreProcesses) + "; if that is not it, " + silent.remedy;
    return name_memory_limits(std::move(silent));
  }
  return wrong_service("the compiler service is not that of this build (" + visible(greeting) +
                       ")");
}

Result<LaunchedService, StartFailure> launch_engine(EngineProcessOptions options,
                                                    const std::filesystem::path& executable) {
  const UniqueFd program(::open(executable.c_str(), O_RDONLY | O_CLOEXEC));
  if (!program) {
    return system_failure(kMechanism, executable.string(), errno,
                          "install " + executable.filename().string() + " beside cordon");
  }
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return system_failure(kMechanism, "socketpair", errno);
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

ServiceLauncher engine_launcher(const std::filesystem::path& launcher,
                                const std::filesystem::path& executable, std::uint64_t memory_bytes,
                                std::string argument) {
  EngineProcessOptions process;
  process.executable = launcher;
  process.arguments = {"compiler", "--memory-bytes", std::to_string(memory_bytes), "--",
                       std::move(argument)};
  return [process, executable] { return launch_engine(process, executable); };
}

// The quick compiler's own memory is bounded at 128 MiB; this is that, its copy of the beginning,
// and buffers.
constexpr std::uint64_t kQuickMemoryBytes = std::uint64_t{192} << 20;

}  // namespace

ServiceLaunchers engine_launchers(const CompilerOptions& options) {
  ServiceLaunchers launchers;
  launchers.esbuild = engine_launcher(options.launcher, options.esbuild, options.memory_bytes,
                                      "--service=" + std::string(kEsbuildVersion));
  if (!options.transpiler.empty()) {
    launchers.quick = engine_launcher(options.launcher, options.transpiler,
                                      std::min(options.memory_bytes, kQuickMemoryBytes), "");
  }
  return launchers;
}

std::string esbuild_greeting() {
  std::string greeting(esbuild::kLengthBytes, '\0');
  greeting[0] = static_cast<char>(kEsbuildVersion.size());
  return greeting.append(kEsbuildVersion);
}

std::string quick_greeting() {
  std::string greeting(transpiler_protocol::kGreeting);
  return greeting.append(kBuildId).append(" swc ").append(kSwcVersion).append("\n");
}

Result<LaunchedService, StartFailure> launch_service(const ServiceLauncher& launcher,
                                                     std::string_view greeting,
                                                     std::chrono::milliseconds deadline) {
  Result<LaunchedService, StartFailure> launched = launcher();
  if (!launched) return launched;
  if (auto failure = check_greeting(launched->channel.get(), greeting, deadline)) {
    return *std::move(failure);
  }
  return launched;
}

}  // namespace cordon

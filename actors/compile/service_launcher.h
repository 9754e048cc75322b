#pragma once
// Starting one TypeScript compiler service, as a small interface so that tests can put other
// programs in its place.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "actors/process/engine_process.h"
#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

struct CompilerOptions;

// A running service. Destruction kills it and waits for its end.
class ServiceProcess {
 public:
  virtual ~ServiceProcess() = default;
};

struct LaunchedService {
  UniqueFd channel;  // stream socket, connected to its standard input and output
  std::unique_ptr<ServiceProcess> process;
};

// Blocks until the program runs. Called from several threads at once.
using ServiceLauncher = std::function<Result<LaunchedService, StartFailure>()>;

// How the two services are started. Without the second there is only esbuild.
struct ServiceLaunchers {
  ServiceLauncher esbuild;
  ServiceLauncher quick = nullptr;
};

// The real ones: `cordon-engine compiler`, locked down.
ServiceLaunchers engine_launchers(const CompilerOptions& options);

// The protocols' first bytes: that a service is the one, and of the version, that we can talk to.
std::string esbuild_greeting();
std::string quick_greeting();

// Launches and waits until the service has said its greeting.
Result<LaunchedService, StartFailure> launch_service(const ServiceLauncher& launcher,
                                                     std::string_view greeting,
                                                     std::chrono::milliseconds deadline);

}  // namespace cordon

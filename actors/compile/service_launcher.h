#pragma once
// Starting one TypeScript compiler service, as a small interface so that tests can put other
// programs in its place.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
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

// The real one: `cordon-engine compiler`, locked down.
ServiceLauncher engine_launcher(const CompilerOptions& options);

// Launches and waits until the service has said that it is the version whose protocol we speak.
Result<LaunchedService, StartFailure> launch_service(const ServiceLauncher& launcher,
                                                     std::chrono::milliseconds deadline);

}  // namespace cordon

// `cordon-probe ROLE`: breaks out, or tries to; started by `cordon doctor`.
//
//   zygote                   the engine's zygote with attempts instead of scripts in its children
//   layer NAME BAIT...       one mechanism alone (layers.h)
//   command NAME ARGUMENT    one attempt, to be made as a granted command in its sandbox
//
// An executable of its own, so that no attempt is in the memory of a process that runs guest code.

#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "engine/control_channel.h"
#include "engine/launcher.h"
#include "engine/probe/attacks.h"
#include "engine/probe/layers.h"
#include "engine/script_engine.h"
#include "engine/zygote.h"
#include "messages/exit_codes.h"

namespace cordon::engine {

namespace {

StartFailure start_zygote(const ControlChannel& control) {
  if (const Started launched = launch(control); !launched) return launched.error();
  ::prctl(PR_SET_NAME, "cordon-probe", 0, 0, 0);
  auto engine = ScriptEngine::create({});
  if (!engine) return {"engine", engine.error(), "reinstall cordon-probe"};
  return run_zygote(control, **engine, {});
}

int run(std::span<const std::string> arguments) {
  if (arguments.size() == 1 && arguments[0] == "zygote") {
    const ControlChannel control(kControl);
    if (!control.plausible()) return kExitUsage;
    control.send_failed(start_zygote(control));
    return kExitNotLocked;
  }
  std::string line;
  if (arguments.size() == 7 && arguments[0] == "layer") {
    line = try_layer(arguments[1],
                     {arguments[2], arguments[3], arguments[4], arguments[5], arguments[6]});
  } else if (arguments.size() >= 2 && arguments[0] == "command") {
    line = to_line(attempt(arguments[1], arguments.size() > 2 ? arguments[2] : ""));
  }
  if (line.empty()) return kExitUsage;
  std::puts(line.c_str());
  std::fflush(stdout);
  return kExitDone;
}

}  // namespace

}  // namespace cordon::engine

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const int status = cordon::engine::run(arguments);
  if (status == cordon::kExitUsage) {
    std::fputs("cordon-probe is started by cordon doctor; it is not a command\n", stderr);
  }
  ::_exit(status);
}

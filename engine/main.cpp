// `cordon-engine ROLE`: not a command for people; a Cordon host starts it (messages/spawn.capnp).

#include <malloc.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compiler_service.h"
#include "engine/control_channel.h"
#include "engine/crash_report.h"
#include "engine/dense_heap.h"
#include "engine/huge_data.h"
#include "engine/launcher.h"
#include "engine/oom_score.h"
#include "engine/script_engine.h"
#include "engine/zygote.h"
#include "messages/exit_codes.h"

// Exported by the script engine's library where there is one.
extern "C" [[gnu::weak]] const char* gMozCrashReason;

namespace cordon::engine {

namespace {

// The script engine makes a thread when it starts, and crashes where it cannot have it. A process
// counts as a thread does, and no longer once it is reaped.
Started require_room_for_thread() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child < 0)
    return system_failure("engine", "starting a thread failed", "check the machine's memory");
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return {};
}

StartFailure start_zygote(const ControlChannel& control, const ZygoteRoleOptions& options) {
  if (const Started launched = launch(control); !launched) return launched.error();
  if (const Started room = require_room_for_thread(); !room) return room.error();
  ::prctl(PR_SET_NAME, "cordon-engine", 0, 0, 0);
  auto engine = ScriptEngine::create({.jit = options.jit});
  if (!engine) return {"engine", engine.error(), "check that the libraries of cordon-engine match"};
  // What every child writes to, and what it allocates, is to lie together at the heap's end and not
  // between what the warm-up has used and freed.
  (*engine)->warm_up();
  (*engine)->compact();
  fill_heap_holes();
  (*engine)->settle();
  fill_heap_holes();
  ::tzset();  // reads the time zone's file for the last time
  // After the engine, which installs handlers of its own.
  if (const Started installed = install_crash_report(&gMozCrashReason); !installed) {
    return installed.error();
  }
  return run_zygote(control, **engine, options);
}

StartFailure start_compiler(const ControlChannel& control, const CompilerRoleOptions& options) {
  if (const Started launched = launch(control); !launched) return launched.error();
  return run_compiler_service(options);
}

std::optional<ZygoteRoleOptions> zygote_options(std::span<const std::string> arguments) {
  if (arguments.empty()) return ZygoteRoleOptions{};
  if (arguments.size() == 1 && arguments[0] == "--jitless") return ZygoteRoleOptions{.jit = false};
  return std::nullopt;
}

// --memory-bytes N -- SERVICE-ARGUMENTS
std::optional<CompilerRoleOptions> compiler_options(std::span<const std::string> arguments) {
  if (arguments.size() < 3 || arguments[0] != "--memory-bytes" || arguments[2] != "--") {
    return std::nullopt;
  }
  CompilerRoleOptions options;
  const std::string& number = arguments[1];
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), options.memory_bytes);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  options.arguments.assign(arguments.begin() + 3, arguments.end());
  return options;
}

// Children inherit the stack on which the kernel has put the arguments and the executable's path.
void erase_launch_texts(int count, char** arguments) {
  for (int i = 0; i < count; ++i) std::memset(arguments[i], 0, std::strlen(arguments[i]));
  if (auto* path = reinterpret_cast<char*>(::getauxval(AT_EXECFN)); path != nullptr) {
    std::memset(path, 0, std::strlen(path));
  }
}

int run(std::span<const std::string> arguments) {
  const ControlChannel control(kControl);
  if (arguments.empty() || !control.plausible()) return kExitUsage;
  go_before_the_host();
  std::optional<StartFailure> failure;
  if (arguments[0] == "zygote") {
    const auto options = zygote_options(arguments.subspan(1));
    if (!options) return kExitUsage;
    failure = start_zygote(control, *options);
  } else if (arguments[0] == "compiler") {
    const auto options = compiler_options(arguments.subspan(1));
    if (!options) return kExitUsage;
    failure = start_compiler(control, *options);
  }
  if (!failure) return kExitUsage;
  control.send_failed(*failure);
  return kExitNotLocked;
}

}  // namespace

}  // namespace cordon::engine

int main(int argc, char** argv) {
  ::mallopt(M_ARENA_MAX, 1);  // one heap: less to copy after a fork
  cordon::engine::align_heap();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  cordon::engine::erase_launch_texts(argc, argv);
  const int status = cordon::engine::run(arguments);
  if (status == cordon::kExitUsage) {
    std::fputs("cordon-engine is started by Cordon itself; it is not a command\n", stderr);
  }
  // No destructors: the engine and half-made locks end with the process.
  ::_exit(status);
}

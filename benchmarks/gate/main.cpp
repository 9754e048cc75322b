// What the gate counts: gate-paths runs every path as often as it says, each in a process of its
// own so that none depends on what another one left in the heap.
//
//   gate-paths            a line for each path: PID NAME
//   gate-paths --about    the compiler and the C library, a line each
//
// Instructions are counted in gate_counted() alone (benchmarks/gate/gate.mjs starts the counter).

#include <gnu/libc-version.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "benchmarks/paths/path.h"

// Found by its name, so it must stay a function.
extern "C" [[gnu::noinline]] void gate_counted(const cordon::paths::Work& work,
                                               unsigned repetitions) {
  for (unsigned i = 0; i < repetitions; ++i) work();
}

namespace {

// 0 or 1.
int run(const cordon::paths::Path& path) {
  try {
    const auto work = path.prepare();
    work();  // what is done the first time only is not counted
    gate_counted(work, path.repetitions);
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "gate-paths: %s: %s\n", path.name.data(), problem.what());
    return 1;
  }
}

bool run_in_child(const cordon::paths::Path& path) {
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) std::exit(run(path));
  int status = 0;
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid || status != 0) return false;
  std::printf("%d %s\n", static_cast<int>(pid), path.name.data());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--about") {
    std::printf("g++ %s\nglibc %s\n", __VERSION__, ::gnu_get_libc_version());
    return 0;
  }
  if (argc != 1) {
    std::fprintf(stderr, "usage: gate-paths [--about]\n");
    return 2;
  }
  for (const auto& path : cordon::paths::all_paths()) {
    if (path.repetitions == cordon::paths::kNotCounted) continue;
    if (!run_in_child(path)) {
      std::fprintf(stderr, "gate-paths: %s has failed\n", path.name.data());
      return 1;
    }
  }
  return 0;
}

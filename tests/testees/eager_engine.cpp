// An engine whose zygote is ready before its launcher has told of it, as the scheduler may have it.
// Neither is locked, and the zygote forks nothing.

#include <unistd.h>

#include "engine/launcher.h"

using namespace cordon::engine;

namespace {

[[noreturn]] void wait_for_end(const ControlChannel& control) {
  while (control.next_order()) {
  }
  ::_exit(0);
}

}  // namespace

int main() {
  const ControlChannel control(kControl);
  const Clone init = clone_sibling();
  if (init.pid == 0) wait_for_end(control);
  const Clone zygote = clone_sibling();
  if (zygote.pid == 0) wait_for_end(control);
  if (!control.send_ready("eager", 1, {})) return 1;
  return control.send_launched(init.pidfd, zygote.pidfd) ? 0 : 1;
}

#include "engine/zygote.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>

#include "engine/huge_data.h"
#include "engine/huge_text.h"
#include "engine/launcher.h"
#include "engine/lockdown.h"
#include "engine/script_engine.h"
#include "engine/touched_pages.h"
#include "messages/exit_codes.h"

namespace cordon::engine {

namespace {

// Room for warming up and for one fork's bookkeeping; the host sets a child's limit before its job.
constexpr rlim_t kZygoteDataBytes = rlim_t{1} << 30;
// Counts descriptors in flight to the host as well, of all processes of the same user.
constexpr rlim_t kZygoteDescriptors = 1024;

constexpr std::array kZygoteLimits{
    ResourceLimit{RLIMIT_CORE, 0, 0}, ResourceLimit{RLIMIT_FSIZE, 0, 0},
    ResourceLimit{RLIMIT_MEMLOCK, 0, 0},
    ResourceLimit{RLIMIT_NOFILE, kZygoteDescriptors, kZygoteDescriptors},
    ResourceLimit{RLIMIT_DATA, kZygoteDataBytes, kInheritedLimit}};

constexpr int kChannel = 0;
constexpr std::array kChildLimits{ResourceLimit{RLIMIT_NOFILE, kChannel + 1, kChannel + 1}};

// What so many jobs make their own is half of this, unless something special happens.
constexpr int kJobsAhead = 8;
constexpr std::size_t kFewBytes = std::size_t{768} << 10;
constexpr int kMaxAttempts = 8;

// What RLIMIT_DATA counts, from procfs; 0 when it cannot be read.
std::uint64_t data_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "VmData:" && status >> kilobytes) return kilobytes << 10;
  }
  return 0;
}

// A collection, or the compilation of a function, that is about to come would be every child's, and
// cost each of them some megabyte: let it come before they are made.
void pass_what_is_due(ScriptEngine& engine) {
  const auto run_ahead = [&engine] {
    for (int i = 0; i < kJobsAhead; ++i) engine.rehearse();
  };
  for (int i = 0; i < kMaxAttempts; ++i) {
    std::size_t bytes = 0;
    for (const PageRange& range : find_touched_pages(run_ahead)) bytes += range.size;
    if (bytes <= kFewBytes) return;
    run_ahead();
  }
}

// Nothing here may fail softly: the job is read only by a process that is fully locked.
[[noreturn]] void run_child(const ForkOrder& order, ScriptEngine& engine,
                            const SeccompFilter& filter, std::span<const PageRange> pages) {
  if (::dup2(order.channel.get(), kChannel) != kChannel ||
      ::close_range(kChannel + 1, ~0U, 0) != 0 || !limit_resources(kChildLimits)) {
    ::_exit(kExitNotLocked);
  }
  touch(pages);
  if (!install(filter)) ::_exit(kExitNotLocked);
  if (order.rehearse) engine.rehearse();
  engine.after_fork();
  engine.serve(kChannel);
  ::_exit(kExitDone);
}

[[noreturn]] void serve_orders(const ControlChannel& control, ScriptEngine& engine,
                               std::span<const PageRange> pages) {
  const SeccompFilter child_filter = assemble(child_policy());
  while (auto order = control.next_order()) {
    const Clone child = clone_sibling();
    if (child.pid == 0) run_child(*order, engine, child_filter, pages);
    const int error = errno;
    order->channel.reset();
    const UniqueFd pidfd(child.pidfd);
    const bool sent = child.pid < 0 ? control.send_fork_failed(order->serial, error)
                                    : control.send_forked(order->serial, pidfd.get());
    if (!sent) break;
  }
  ::_exit(kExitDone);
}

}  // namespace

StartFailure run_zygote(const ControlChannel& control, ScriptEngine& engine,
                        const ZygoteRoleOptions& options) {
  HugePages huge{.text = move_engine_text_to_huge_pages()};
  pass_what_is_due(engine);
  huge.data = move_data_to_huge_pages(ScriptEngine::heap_chunk_bytes());
  const std::uint64_t warm_bytes = data_bytes();
  const auto pages = find_touched_pages([&] { engine.rehearse(); });
  if (const unsigned threads = count_threads(); threads != 1 || warm_bytes == 0) {
    return {"engine", "the warm engine runs " + std::to_string(threads) + " threads instead of one",
            "mount procfs; report this build of the script engine"};
  }
  // A host that closes a channel ends the write, not the process.
  ::signal(SIGPIPE, SIG_IGN);
  if (const Started locked = lock_down({kZygoteLimits, std::nullopt, zygote_policy(options.jit)});
      !locked) {
    return locked.error();
  }
  if (!control.send_ready(ScriptEngine::version(), warm_bytes, huge)) ::_exit(kExitDone);
  serve_orders(control, engine, pages);
}

}  // namespace cordon::engine

// A compiler service's bytes, read by the real client of one service over a socket, as
// esbuild's and as cordon-transpiler's: every job comes
// out exactly once, answered or handed back, and positions of errors lie in the source.

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>

#include <variant>

#include "actors/compile/compile_outcome.h"
#include "actors/compile/compiler_service.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

namespace {

constexpr const char* kSources[] = {"let a: number = 1\nlet b = 2",
                                    "export default \"\u00e4\u2028\""};

struct NoProcess final : ServiceProcess {};

void check(const std::string& source, esbuild::Answer answer) {
  const auto outcome = compile_outcome(source, std::move(answer));
  if (outcome) return;
  const CompileFailure& failure = outcome.error();
  fuzz::require(failure.line <= 2, "an error on a line that the source has not");
  fuzz::require(failure.column <= source.size() + 1, "an error in a column beyond the source");
  fuzz::require(failure.message.size() <= 16 * 1024, "an error text without bound");
}

void read_as(const ServiceProtocol& protocol, const std::uint8_t* data, std::size_t size) {
  int ends[2];
  fuzz::require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0,
                "no socket");
  UniqueFd theirs(ends[1]);
  boost::asio::io_context io;
  std::size_t out = 0;
  bool broken = false;
  const auto service = *CompilerService::open(
      io, protocol, {UniqueFd(ends[0]), std::make_unique<NoProcess>()}, std::chrono::hours(1),
      {.on_answer =
           [&](CompileJob job, esbuild::Answer answer) {
             ++out;
             check(job.request.source, std::move(answer));
           },
       .on_broken =
           [&](ServiceRemains remains) {
             broken = true;
             fuzz::require(!remains.reason.empty(), "a break without a reason");
             out += remains.suspects.size() + remains.innocents.size();
           }});
  for (const char* source : kSources) service->send({.request = {source}, .on_compiled = {}});
  // What a socket holds at once is enough.
  const ssize_t written = ::send(theirs.get(), data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (size % 2 == 0) theirs.reset();
  io.poll();
  (void)written;
  if (!broken) {
    const ServiceRemains left = service->close();
    out += left.suspects.size() + left.innocents.size();
  }
  io.restart();
  io.poll();
  fuzz::require(out == std::size(kSources), "a job was lost or came out twice");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_as(kEsbuildProtocol, data, size);
  read_as(kQuickProtocol, data, size);
  return 0;
}

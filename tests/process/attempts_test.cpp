// Escapes that need more than one system call to show: mapped code, files beside files, strangers.

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <future>

#include "messages/unique_fd.h"
#include "tests/process/refused_calls.h"
#include "tests/process/sandboxed.h"

using namespace cordon;
using namespace cordon::test;
using Catch::Matchers::Contains;

namespace {

UniqueFd listen_at(const std::string& path, bool abstract) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path + (abstract ? 1 : 0), sizeof address.sun_path - 2);
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto size = offsetof(sockaddr_un, sun_path) + path.size() + 1;
  REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address),
                 static_cast<socklen_t>(size)) == 0);
  REQUIRE(::listen(socket.get(), 4) == 0);
  return socket;
}

}  // namespace

TEST_CASE("the kernel refuses a command each call of the table") {
  if (!can_run()) return;
  Sandboxed commands({kTestee});
  const std::string refused = commands.probe("refused_calls") + " ";
  for (const RefusedCall& call : kRefusedCalls) {
    INFO(call.name << " in " << refused);
    CHECK(refused.find(" " + std::to_string(call.number) + " ") != std::string::npos);
  }
}

TEST_CASE("a command may make memory both writable and executable, as compilers in programs do") {
  if (!can_run()) return;
  // Not a wall: what runs in it is the command's own code, under the same filter.
  Sandboxed commands({kTestee});
  CHECK(commands.probe("write_and_execute") == "allowed");
}

TEST_CASE("devices and other users are out of reach") {
  if (!can_run()) return;
  Sandboxed commands({kTestee});
  for (const char* const probe :
       {"make_device", "set_user", "set_group", "change_owner", "raise_limit"}) {
    INFO(probe);
    CHECK(commands.probe(probe) != "allowed");
  }
}

TEST_CASE("another command of the same call is neither seen nor signalled") {
  if (!can_run()) return;
  Sandboxed commands({kTestee, "/bin/sh"});
  std::promise<void> over;
  commands.start("/bin/sh", {"-c", "while :; do :; done", "cordon-sibling-marker"},
                 [&](const SpawnedCommand&) { over.set_value(); });
  REQUIRE(wait_for_process_with("cordon-sibling-marker"));
  CHECK(commands.probe("kill_all") == "No such process");
  CHECK_THAT(
      commands.shell("cat /proc/[0-9]*/cmdline 2>&1; for p in /proc/[0-9]*; do echo $p; done"),
      !Contains("cordon-sibling-marker"));
  commands.close();
  over.get_future().wait();
  CHECK(no_process_with("cordon-sibling-marker"));
}

TEST_CASE("FIFOs and sockets in a read root reach nobody, nor do abstract sockets") {
  if (!can_run()) return;
  TemporaryDirectory tree;
  tree.write("in/x", "");
  REQUIRE(::mkfifo((tree / "in/fifo").c_str(), 0666) == 0);
  REQUIRE(::chmod((tree / "in/fifo").c_str(), 0666) == 0);
  const UniqueFd by_path = listen_at(tree / "in/socket", false);
  const std::string name = "cordon-test-" + std::to_string(::getpid());
  const UniqueFd by_name = listen_at(name, true);
  // Somebody waits at its other end.
  const UniqueFd reader(::open((tree / "in/fifo").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  REQUIRE(reader);
  Sandboxed commands({kTestee});
  commands.options.filesystem = SandboxFilesystemGrant{.read = {tree / "in"}};
  CHECK(commands.probe("write_existing", tree / "in/fifo") != "allowed");
  CHECK(commands.probe("connect_path", tree / "in/socket") == "Operation not permitted");
  CHECK(commands.probe("connect_abstract", name) == "Operation not permitted");
  char byte = 0;
  CHECK(::read(reader.get(), &byte, 1) <= 0);
}

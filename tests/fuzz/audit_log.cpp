// An audit log from anywhere: reading and verifying end in a report, and a line that is taken for
// an event is exactly what would be written for it.

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "audit/event_json.h"
#include "audit/verify.h"
#include "messages/unique_fd.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzz::as_text(data, size);
  const UniqueFd file(::memfd_create("log", MFD_CLOEXEC));
  fuzz::require(::write(file.get(), data, size) == static_cast<ssize_t>(size), "no memory file");
  const VerifyReport report = verify_log("/proc/self/fd/" + std::to_string(file.get()));
  std::uint64_t events = 0;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto event = parse_event(line);
    if (!event) continue;
    ++events;
    fuzz::require(to_json(*event) == line, "an event that would be written differently");
  }
  fuzz::require(report.count <= events, "more events verified than there are");
  return 0;
}

// A server's bytes: in whatever pieces, they end in a response within the limits or in a problem.

#include <algorithm>
#include <optional>
#include <string>

#include "capabilities/http/response_reader.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

namespace {

constexpr ResponseReader::Limits kLimits{.header_bytes = 1024, .body_bytes = 256};

struct End {
  std::optional<FetchedResponse> response;
  bool problem = false;
};

End read(std::string_view bytes, std::size_t piece, bool to_head) {
  ResponseReader reader(kLimits, to_head);
  std::string pending;
  while (!bytes.empty() && !reader.problem() && !reader.is_done()) {
    pending += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    const std::size_t taken = reader.put(pending);
    fuzz::require(taken <= pending.size(), "more bytes taken than given");
    pending.erase(0, taken);
    fuzz::require(pending.size() <= kLimits.header_bytes + piece, "bytes pile up");
  }
  if (!reader.problem() && !reader.is_done()) reader.put_end();
  fuzz::require(reader.problem().has_value() || reader.is_done(), "neither an end nor a problem");
  if (reader.problem()) return {.response = {}, .problem = true};
  return {.response = reader.take(), .problem = false};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes = fuzz::as_text(data + 2, size - 2);
  const bool to_head = data[0] % 4 == 1;
  const End whole = read(bytes, std::max<std::size_t>(bytes.size(), 1), to_head);
  const End pieces = read(bytes, std::size_t{1} + data[1], to_head);
  fuzz::require(whole.problem == pieces.problem, "pieces decide whether there is a response");
  if (!whole.response) return 0;
  fuzz::require(whole.response->status == pieces.response->status &&
                    whole.response->headers == pieces.response->headers &&
                    whole.response->body_bytes == pieces.response->body_bytes,
                "pieces change the response");
  fuzz::require(whole.response->status >= 200 && whole.response->status <= 999, "a status");
  fuzz::require(whole.response->body_bytes.size() <= kLimits.body_bytes, "a body over its limit");
  for (const HttpHeader& header : whole.response->headers) {
    fuzz::require(header.value.find_first_of("\r\n") == std::string::npos, "a header's line end");
  }
  fuzz::require(whole.response->text().size() <= 3 * kLimits.body_bytes, "decoded text");
  return 0;
}

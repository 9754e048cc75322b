#pragma once
// What fetchText() brought back. Everything in it was chosen by a server.

#include <cstdint>
#include <string>
#include <vector>

#include "capabilities/network_policy.h"
#include "capabilities/utf8.h"

namespace cordon {

struct FetchedResponse {
  unsigned status = 0;              // 200 to 999: informational responses are skipped
  std::vector<HttpHeader> headers;  // lower-case names in order; repeated ones joined with ", "
  std::string body_bytes;           // as sent, content coding removed

  // The body as the guest gets it. Not done on arrival: it takes time in proportion to what a
  // server sent, and the I/O thread keeps everybody's deadlines.
  std::string text() const { return decode_text(body_bytes); }
};

}  // namespace cordon

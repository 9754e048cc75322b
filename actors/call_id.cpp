#include "actors/call_id.h"

#include <sys/random.h>

#include <vector>

#include <cordon/runtime.h>

namespace cordon {

namespace {

constexpr std::size_t kMaxLength = 128;
constexpr std::string_view kAllowed =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-";

}  // namespace

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> random(bytes);
  if (::getrandom(random.data(), bytes, 0) != static_cast<ssize_t>(bytes)) {
    throw Unavailable("no random numbers from the system");
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : random) {
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return hex;
}

bool is_call_id(std::string_view text) {
  return !text.empty() && text.size() <= kMaxLength &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

}  // namespace cordon

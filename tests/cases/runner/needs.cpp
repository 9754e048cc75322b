#include "tests/cases/runner/needs.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "messages/unique_fd.h"

namespace cordon::cases {

namespace {

bool have_ipv6() {
  const UniqueFd socket(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  return socket &&
         ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

bool is_on_path(const std::string& tool) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + tool).c_str(), X_OK) == 0) return true;
  return false;
}

bool is_tool(const std::string& need) {
  constexpr std::string_view kTools[] = {"awk",  "bash",    "cc",   "curl",  "gcc",    "nc",
                                         "node", "openssl", "perl", "ps",    "python", "python3",
                                         "ruby", "setsid",  "sh",   "socat", "strace", "tar"};
  return std::find(std::begin(kTools), std::end(kTools), need) != std::end(kTools);
}

// Why the host lacks it, if it does.
std::optional<std::string> missing(const std::string& need) {
  if (need.starts_with('/')) {
    if (::access(need.c_str(), F_OK) == 0) return std::nullopt;
    return "there is no " + need + " here";
  }
  if (is_tool(need)) {
    if (is_on_path(need)) return std::nullopt;
    return need + " is not on PATH";
  }
  if (need == "root") {
    if (::geteuid() == 0) return std::nullopt;
    return "this is not root";
  }
  if (need == "ipv6") {
    if (have_ipv6()) return std::nullopt;
    return "this host has no IPv6 loopback address";
  }
  throw Unknown("the need \"" + need + "\"");
}

}  // namespace

Needs look_for(const Json& fixture) {
  Needs needs;
  for (const Json& entry : fixture) {
    if (!entry.contains("need")) continue;
    require_keys(entry, {"need"}, "a need");
    for (const std::string& need : texts_of(entry["need"], "need")) {
      if (need == "strict-sandbox") {
        needs.strict_sandbox = true;
      } else if (auto why = missing(need)) {
        needs.missing = std::move(why);
      }
    }
  }
  return needs;
}

}  // namespace cordon::cases

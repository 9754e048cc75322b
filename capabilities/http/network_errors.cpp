#include "capabilities/http/network_errors.h"

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <string>
#include <utility>

#include "capabilities/refusal.h"
#include "capabilities/shown_text.h"

namespace cordon {

OperationFailure network_failure(const Origin& origin, std::string_view what) {
  return {.message = "Network request to " + shown(origin.text()) + " failed: " + std::string(what),
          .reason = std::string(what)};
}

Refusal private_address_refusal(const Origin& origin, AddressClass example) {
  const std::string rule = "its name resolves to a " + std::string(name_of(example)) + " address";
  return {.capability = "network",
          .message = "Network access to " + shown(origin.text()) + " is not granted: " + rule +
                     " (set `network.allowPrivateAddresses`, --allow-private-addresses)",
          .reason = rule};
}

Refusal response_limit_refusal(const Origin& origin, std::uint64_t limit) {
  return byte_limit_refusal("Network response from " + shown(origin.text()), limit,
                            "resources.maxNetworkBytes");
}

std::string_view describe(const boost::system::error_code& error) {
  namespace errors = boost::asio::error;
  static const std::pair<boost::system::error_code, std::string_view> kWords[] = {
      {errors::connection_refused, "connection refused"},
      {errors::connection_reset, "connection reset"},
      {errors::broken_pipe, "connection reset"},
      {errors::eof, "connection closed"},
      {boost::asio::ssl::error::stream_truncated, "connection closed"},
      {errors::timed_out, "connection timed out"},
      {errors::host_unreachable, "host unreachable"},
      {errors::network_unreachable, "network unreachable"},
      {errors::no_descriptors, "too many open files"},
  };
  for (const auto& [known, words] : kWords) {
    if (error == known) return words;
  }
  return "connection failed";
}

}  // namespace cordon

#include "capabilities/http/resolver.h"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace cordon {

namespace {

namespace asio = boost::asio;

constexpr std::size_t kThreads = 4;

using Addresses = Result<std::vector<asio::ip::address>, std::string>;

Addresses look_up(asio::thread_pool& threads, const std::string& host) {
  asio::ip::tcp::resolver resolver(threads.get_executor());
  boost::system::error_code error;
  const auto entries =
      resolver.resolve(host, "", asio::ip::resolver_base::address_configured, error);
  if (error == asio::error::host_not_found || error == asio::error::no_data)
    return std::string("name not found");
  if (error) return std::string("name could not be resolved");
  std::vector<asio::ip::address> addresses;
  for (const auto& entry : entries) addresses.push_back(entry.endpoint().address());
  return addresses;
}

}  // namespace

void SystemResolver::resolve(std::string host, OnAddresses on_addresses) {
  if (!threads_) threads_.emplace(kThreads);
  asio::post(*threads_, [this, host = std::move(host), on_addresses = std::move(on_addresses)] {
    on_addresses(look_up(*threads_, host));
  });
}

void SystemResolver::stop() {
  if (!threads_) return;
  threads_->stop();
  threads_->join();
}

}  // namespace cordon

#pragma once
// From a host name to addresses. Whether an address may be connected to is decided by the caller,
// about the very addresses that it then connects to.

#include <boost/asio/ip/address.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "messages/result.h"

namespace cordon {

class Resolver {
 public:
  // Either addresses, best first, or why there are none: host-written, e.g. "name not found".
  using OnAddresses =
      std::function<void(Result<std::vector<boost::asio::ip::address>, std::string>)>;

  virtual ~Resolver() = default;
  // Called on the I/O thread, for names only: no literal address and not `localhost`. Calls back at
  // most once, on any thread, at once or later.
  virtual void resolve(std::string host, OnAddresses on_addresses) = 0;
  // Nothing calls back after it returns.
  virtual void stop() = 0;
};

// The system's own resolver, on a few threads of its own, so that one slow name does not hold up
// everybody else's.
class SystemResolver final : public Resolver {
 public:
  ~SystemResolver() override { stop(); }
  void resolve(std::string host, OnAddresses on_addresses) override;
  // Waits for look-ups that have begun.
  void stop() override;

 private:
  // Made by the first look-up: many programs need none.
  std::optional<boost::asio::thread_pool> threads_;
};

}  // namespace cordon

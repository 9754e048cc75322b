#pragma once
// From a host name to addresses. Whether an address may be connected to is decided by the caller,
// about the very addresses that it then connects to.

#include <boost/asio/ip/address.hpp>
#include <functional>
#include <memory>
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

// The system's own resolver, which blocks: on threads of its own, made when they are needed, so
// that names whose servers are silent hold up nobody else's. One look-up serves all who ask for the
// same name meanwhile.
class SystemResolver final : public Resolver {
 public:
  using Addresses = Result<std::vector<boost::asio::ip::address>, std::string>;
  // Blocks. Called on several threads at once, also after stop().
  using LookUp = std::function<Addresses(const std::string& host)>;

  SystemResolver();  // by getaddrinfo
  explicit SystemResolver(LookUp look_up);
  ~SystemResolver() override { stop(); }
  void resolve(std::string host, OnAddresses on_addresses) override;
  // Waits for no look-up: nothing can end one. Those that have begun end by themselves, on threads
  // that outlive this object.
  void stop() override;

 private:
  class LookUps;
  std::shared_ptr<LookUps> look_ups_;
};

}  // namespace cordon

#pragma once
// What an IP address is for, so that a public name cannot lead into a private network. Pure.
//
// Invariant: an address is public only if it is known to be; an IPv6 address that carries an IPv4
// one (mapped, NAT64, 6to4) is no better than what it carries.

#include <boost/asio/ip/address.hpp>
#include <cstdint>
#include <string_view>

namespace cordon {

enum class AddressClass : std::uint8_t {
  kPublic,
  kUnspecified,
  kLoopback,
  kLinkLocal,
  kPrivate,  // RFC 1918, carrier-grade NAT, unique local, site local
  kMulticast,
  kReserved,  // benchmarks, documentation, broadcast, tunnels, everything not yet in use
};

AddressClass classify(const boost::asio::ip::address& address);

// "private", "link-local", ...
std::string_view name_of(AddressClass what) noexcept;

}  // namespace cordon

#pragma once
// What an IP address is for, so that a public name cannot lead into a private network. Pure.
//
// Invariant: an address is public only if it is known to be; an IPv6 address that carries an IPv4
// one (mapped, NAT64, 6to4) is no better than what it carries.

#include <boost/asio/ip/address.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "messages/result.h"

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

// Those of a name's addresses that may be connected to. If it has addresses but none of that kind,
// the class of one that it has.
Result<std::vector<boost::asio::ip::address>, AddressClass> permitted_addresses(
    const std::vector<boost::asio::ip::address>& addresses, bool allow_private_addresses);

// "private", "link-local", ...
std::string_view name_of(AddressClass what) noexcept;

}  // namespace cordon

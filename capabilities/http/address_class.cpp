#include "capabilities/http/address_class.h"

#include <boost/endian/conversion.hpp>
#include <cstddef>

namespace cordon {

namespace {

namespace ip = boost::asio::ip;

constexpr std::uint32_t ipv4(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a << 24 | b << 16 | c << 8 | d;
}

struct Ipv4Block {
  std::uint32_t first;
  unsigned prefix_bits;
  AddressClass what;
};

// IANA's special-purpose registry, and multicast.
constexpr Ipv4Block kIpv4Blocks[] = {
    {ipv4(0, 0, 0, 0), 32, AddressClass::kUnspecified},
    {ipv4(0, 0, 0, 0), 8, AddressClass::kReserved},
    {ipv4(10, 0, 0, 0), 8, AddressClass::kPrivate},
    {ipv4(100, 64, 0, 0), 10, AddressClass::kPrivate},
    {ipv4(127, 0, 0, 0), 8, AddressClass::kLoopback},
    {ipv4(169, 254, 0, 0), 16, AddressClass::kLinkLocal},
    {ipv4(172, 16, 0, 0), 12, AddressClass::kPrivate},
    {ipv4(192, 0, 0, 0), 24, AddressClass::kReserved},
    {ipv4(192, 0, 2, 0), 24, AddressClass::kReserved},
    {ipv4(192, 88, 99, 0), 24, AddressClass::kReserved},
    {ipv4(192, 168, 0, 0), 16, AddressClass::kPrivate},
    {ipv4(198, 18, 0, 0), 15, AddressClass::kReserved},
    {ipv4(198, 51, 100, 0), 24, AddressClass::kReserved},
    {ipv4(203, 0, 113, 0), 24, AddressClass::kReserved},
    {ipv4(224, 0, 0, 0), 4, AddressClass::kMulticast},
    {ipv4(240, 0, 0, 0), 4, AddressClass::kReserved},
};

// The upper half of an address is enough for all of these.
struct Ipv6Block {
  std::uint64_t first;
  unsigned prefix_bits;
  AddressClass what;
};

constexpr Ipv6Block kIpv6Blocks[] = {
    {0xfe80'0000'0000'0000, 10, AddressClass::kLinkLocal},
    {0xfec0'0000'0000'0000, 10, AddressClass::kPrivate},
    {0xfc00'0000'0000'0000, 7, AddressClass::kPrivate},
    {0xff00'0000'0000'0000, 8, AddressClass::kMulticast},
    {0x2001'0000'0000'0000, 23, AddressClass::kReserved},  // IETF protocols, benchmarks, ORCHID
    {0x2001'0db8'0000'0000, 32, AddressClass::kReserved},
    {0x3fff'0000'0000'0000, 20, AddressClass::kReserved},
    // What is handed out to networks; all the rest is not in use, or not for use on the internet.
    {0x2000'0000'0000'0000, 3, AddressClass::kPublic},
};

AddressClass classify_v4(std::uint32_t address) {
  for (const Ipv4Block& block : kIpv4Blocks) {
    if ((address ^ block.first) >> (32 - block.prefix_bits) == 0) return block.what;
  }
  return AddressClass::kPublic;
}

// Tunnels that nobody runs any more are not public, whatever they carry.
AddressClass at_best_reserved(AddressClass what) {
  return what == AddressClass::kPublic ? AddressClass::kReserved : what;
}

AddressClass classify_v6(std::uint64_t high, std::uint64_t low) {
  const auto low_v4 = static_cast<std::uint32_t>(low);
  if (high == 0) {
    if (low == 0) return AddressClass::kUnspecified;
    if (low == 1) return AddressClass::kLoopback;
    if (low >> 32 == 0xffff) return classify_v4(low_v4);               // mapped
    if (low >> 32 == 0) return at_best_reserved(classify_v4(low_v4));  // compatible
  }
  if (high == 0x0064'ff9b'0000'0000 && low >> 32 == 0) return classify_v4(low_v4);  // NAT64
  if (high >> 48 == 0x2002)                                                         // 6to4
    return classify_v4(static_cast<std::uint32_t>(high >> 16));
  if (high >> 32 == 0x2001'0000) {  // Teredo: the server, and the client with its bits inverted
    const AddressClass client = classify_v4(~low_v4);
    return at_best_reserved(
        client != AddressClass::kPublic ? client : classify_v4(static_cast<std::uint32_t>(high)));
  }
  for (const Ipv6Block& block : kIpv6Blocks) {
    if ((high ^ block.first) >> (64 - block.prefix_bits) == 0) return block.what;
  }
  return AddressClass::kReserved;
}

}  // namespace

AddressClass classify(const ip::address& address) {
  if (address.is_v4()) return classify_v4(address.to_v4().to_uint());
  const auto bytes = address.to_v6().to_bytes();
  return classify_v6(boost::endian::load_big_u64(bytes.data()),
                     boost::endian::load_big_u64(bytes.data() + 8));
}

Result<std::vector<ip::address>, AddressClass> permitted_addresses(
    const std::vector<ip::address>& addresses, bool allow_private_addresses) {
  if (allow_private_addresses) return addresses;
  std::vector<ip::address> permitted;
  AddressClass refused = AddressClass::kPublic;
  for (const ip::address& address : addresses) {
    const AddressClass what = classify(address);
    if (what == AddressClass::kPublic) {
      permitted.push_back(address);
    } else {
      refused = what;
    }
  }
  if (permitted.empty() && refused != AddressClass::kPublic) return refused;
  return permitted;
}

std::string_view name_of(AddressClass what) noexcept {
  switch (what) {
    case AddressClass::kPublic:
      return "public";
    case AddressClass::kUnspecified:
      return "unspecified";
    case AddressClass::kLoopback:
      return "loopback";
    case AddressClass::kLinkLocal:
      return "link-local";
    case AddressClass::kPrivate:
      return "private";
    case AddressClass::kMulticast:
      return "multicast";
    case AddressClass::kReserved:
      return "reserved";
  }
  return "reserved";
}

}  // namespace cordon

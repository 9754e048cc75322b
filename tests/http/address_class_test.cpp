#include "capabilities/http/address_class.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using cordon::AddressClass;
using cordon::classify;
using cordon::permitted_addresses;

TEST_CASE("Every special range is known by its first and last address, and ends there") {
  struct Row {
    const char* address;
    AddressClass what;
  };
  static constexpr Row kRows[] = {
      {"0.0.0.0", AddressClass::kUnspecified},
      {"0.0.0.1", AddressClass::kReserved},
      {"0.255.255.255", AddressClass::kReserved},
      {"1.0.0.0", AddressClass::kPublic},
      {"9.255.255.255", AddressClass::kPublic},
      {"10.0.0.0", AddressClass::kPrivate},
      {"10.255.255.255", AddressClass::kPrivate},
      {"11.0.0.0", AddressClass::kPublic},
      {"100.63.255.255", AddressClass::kPublic},
      {"100.64.0.0", AddressClass::kPrivate},
      {"100.127.255.255", AddressClass::kPrivate},
      {"100.128.0.0", AddressClass::kPublic},
      {"126.255.255.255", AddressClass::kPublic},
      {"127.0.0.0", AddressClass::kLoopback},
      {"127.0.0.1", AddressClass::kLoopback},
      {"127.255.255.255", AddressClass::kLoopback},
      {"128.0.0.0", AddressClass::kPublic},
      {"169.253.255.255", AddressClass::kPublic},
      {"169.254.0.0", AddressClass::kLinkLocal},
      {"169.254.169.254", AddressClass::kLinkLocal},
      {"169.255.0.0", AddressClass::kPublic},
      {"172.15.255.255", AddressClass::kPublic},
      {"172.16.0.0", AddressClass::kPrivate},
      {"172.31.255.255", AddressClass::kPrivate},
      {"172.32.0.0", AddressClass::kPublic},
      {"192.0.0.255", AddressClass::kReserved},
      {"192.0.1.0", AddressClass::kPublic},
      {"192.0.2.1", AddressClass::kReserved},
      {"192.88.99.1", AddressClass::kReserved},
      {"192.168.0.0", AddressClass::kPrivate},
      {"192.168.255.255", AddressClass::kPrivate},
      {"192.169.0.0", AddressClass::kPublic},
      {"198.17.255.255", AddressClass::kPublic},
      {"198.18.0.0", AddressClass::kReserved},
      {"198.19.255.255", AddressClass::kReserved},
      {"198.20.0.0", AddressClass::kPublic},
      {"198.51.100.7", AddressClass::kReserved},
      {"203.0.113.7", AddressClass::kReserved},
      {"223.255.255.255", AddressClass::kPublic},
      {"224.0.0.1", AddressClass::kMulticast},
      {"239.255.255.255", AddressClass::kMulticast},
      {"240.0.0.0", AddressClass::kReserved},
      {"255.255.255.255", AddressClass::kReserved},

      {"::", AddressClass::kUnspecified},
      {"::1", AddressClass::kLoopback},
      {"2606:4700:4700::1111", AddressClass::kPublic},
      {"2a00:1450:4001:81b::200e", AddressClass::kPublic},
      {"fc00::", AddressClass::kPrivate},
      {"fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", AddressClass::kPrivate},
      {"fe80::1", AddressClass::kLinkLocal},
      {"fe80::1%1", AddressClass::kLinkLocal},
      {"febf:ffff::", AddressClass::kLinkLocal},
      {"fec0::1", AddressClass::kPrivate},
      {"ff02::1", AddressClass::kMulticast},
      {"2001:db8::1", AddressClass::kReserved},
      {"3fff:fff::1", AddressClass::kReserved},
      {"2001:2::1", AddressClass::kReserved},
      {"2001:1ff::1", AddressClass::kReserved},
      {"2001:200::1", AddressClass::kPublic},
      {"100::1", AddressClass::kReserved},
      {"4000::1", AddressClass::kReserved},
      {"1::1", AddressClass::kReserved},

      // IPv4 inside IPv6: mapped, compatible, NAT64, 6to4, Teredo.
      {"::ffff:127.0.0.1", AddressClass::kLoopback},
      {"::ffff:10.1.2.3", AddressClass::kPrivate},
      {"::ffff:8.8.8.8", AddressClass::kPublic},
      {"::ffff:0:127.0.0.1", AddressClass::kReserved},
      {"::127.0.0.1", AddressClass::kLoopback},
      {"::169.254.169.254", AddressClass::kLinkLocal},
      {"::8.8.8.8", AddressClass::kReserved},
      {"64:ff9b::127.0.0.1", AddressClass::kLoopback},
      {"64:ff9b::192.168.1.1", AddressClass::kPrivate},
      {"64:ff9b::8.8.8.8", AddressClass::kPublic},
      {"64:ff9b:1::8.8.8.8", AddressClass::kReserved},
      {"64:ff9b::1:808:808", AddressClass::kReserved},
      {"2002:7f00:1::", AddressClass::kLoopback},
      {"2002:a9fe:a9fe::1", AddressClass::kLinkLocal},
      {"2002:808:808::1", AddressClass::kPublic},
      {"2001:0:a00:1::", AddressClass::kReserved},             // client 255.255.255.255
      {"2001:0:a00:1::f7f7:f7f7", AddressClass::kPrivate},     // server 10.0.0.1, client 8.8.8.8
      {"2001:0:808:808::80ff:fffe", AddressClass::kLoopback},  // client 127.0.0.1
      {"2001:0:808:808::f7f7:f7f7", AddressClass::kReserved},
  };
  for (const Row& row : kRows) {
    INFO(row.address);
    CHECK(name_of(classify(boost::asio::ip::make_address(row.address))) == name_of(row.what));
  }
}

TEST_CASE("Of a name's addresses only those that are public are permitted, in their order") {
  using boost::asio::ip::address;
  const auto parse = [](const std::vector<std::string>& texts) {
    std::vector<address> addresses;
    for (const std::string& text : texts) addresses.push_back(boost::asio::ip::make_address(text));
    return addresses;
  };
  const auto mixed = parse({"127.0.0.1", "9.9.9.9", "::ffff:10.0.0.1", "2620:fe::fe", "fe80::1"});
  const auto permitted = permitted_addresses(mixed, false);
  REQUIRE(permitted.has_value());
  CHECK(*permitted == parse({"9.9.9.9", "2620:fe::fe"}));

  const auto inside = parse({"127.0.0.1", "10.0.0.1"});
  CHECK(permitted_addresses(inside, false).error() == AddressClass::kPrivate);
  CHECK(*permitted_addresses(inside, true) == inside);
  CHECK(permitted_addresses({}, false)->empty());
}

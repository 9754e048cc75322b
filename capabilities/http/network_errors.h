#pragma once
// The words for requests that were refused or failed. They hold no more of the URL than its origin,
// and nothing that a server said.

#include <boost/system/error_code.hpp>
#include <cstdint>
#include <string_view>

#include "capabilities/http/address_class.h"
#include "capabilities/operation.h"
#include "capabilities/origin.h"

namespace cordon {

// `what` is host-written, e.g. "connection refused".
OperationFailure network_failure(const Origin& origin, std::string_view what);

// The name leads only to addresses that are not public, of which `example` is the class of one.
Refusal private_address_refusal(const Origin& origin, AddressClass example);

Refusal response_limit_refusal(const Origin& origin, std::uint64_t limit);

// An error of a socket in plain words.
std::string_view describe(const boost::system::error_code& error);

}  // namespace cordon

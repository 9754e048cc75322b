#pragma once
// A value, or the reason why there is none. Expected refusals are returned, never thrown.

#include <boost/system/result.hpp>

namespace cordon {

template <class T, class E>
using Result = boost::system::result<T, E>;

}  // namespace cordon

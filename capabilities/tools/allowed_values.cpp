#include "capabilities/tools/allowed_values.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <string>
#include <utility>

namespace cordon {

namespace {

using nlohmann::json;
using Order = std::weak_ordering;

// Types that are never equal have different ranks.
int rank(const json& value) {
  return static_cast<int>(value.is_number() ? json::value_t::number_float : value.type());
}

template <typename T>
Order order(const T& a, const T& b) {
  if (a < b) return Order::less;
  return b < a ? Order::greater : Order::equivalent;
}

Order compare(const json& a, const json& b) {
  if (const Order ranks = order(rank(a), rank(b)); ranks != 0) return ranks;
  if (a.is_number()) return order(exactly(a), exactly(b));
  if (a.is_string()) {
    const auto& mine = a.get_ref<const std::string&>();
    const auto& other = b.get_ref<const std::string&>();
    const Order sizes = order(mine.size(), other.size());
    return sizes != 0 ? sizes : order(mine, other);
  }
  if (!a.is_structured()) return order(a, b);
  if (const Order sizes = order(a.size(), b.size()); sizes != 0) return sizes;
  for (auto mine = a.begin(), other = b.begin(); mine != a.end(); ++mine, ++other) {
    if (a.is_object()) {
      if (const Order keys = order(mine.key(), other.key()); keys != 0) return keys;
    }
    if (const Order members = compare(*mine, *other); members != 0) return members;
  }
  return Order::equivalent;
}

}  // namespace

// nlohmann-json compares a large unsigned number with a signed one as if it were negative. This
// holds every number of JSON text.
long double exactly(const json& number) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  if (number.is_number_unsigned())
    return static_cast<long double>(number.get<json::number_unsigned_t>());
  if (number.is_number_integer())
    return static_cast<long double>(number.get<json::number_integer_t>());
  return static_cast<long double>(number.get<json::number_float_t>());
}

bool JsonLess::operator()(const json& a, const json& b) const { return compare(a, b) < 0; }

AllowedValues::AllowedValues(std::vector<json> values)
    : values_(std::move(values)),
      sorted_(values_.begin(), values_.end()),
      has_structured_(std::ranges::any_of(values_, &json::is_structured)) {}

}  // namespace cordon

#pragma once
// The value of a flag that takes several items: "a,b". A doubled comma is a comma in an item.

#include <string>
#include <string_view>
#include <vector>

#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// At least one item, none of them empty.
Result<std::vector<std::string>, UsageError> split_comma_list(std::string_view text);

}  // namespace cordon

#pragma once
// environment() and secret(): granted values by exact name.

#include <string>
#include <string_view>

#include "capabilities/authority.h"
#include "capabilities/operation.h"

namespace cordon {

OperationResult<std::string> environment(const Authority& authority, std::string_view name);
OperationResult<std::string> secret(const Authority& authority, std::string_view name);

}  // namespace cordon

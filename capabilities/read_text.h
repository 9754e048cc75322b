#pragma once
// readText(): the text of one regular file beneath a read root.

#include <cstdint>
#include <string>
#include <string_view>

#include "capabilities/authority.h"
#include "capabilities/operation.h"

namespace cordon {

struct FileText {
  std::string text;     // well-formed UTF-8; at most three times `bytes` long
  std::uint64_t bytes;  // read from the file; what resources.maxReadBytes counts
};

// Blocks for as long as the file system does. Thread-safe.
OperationResult<FileText> read_text(const Authority& authority, std::string_view path);

}  // namespace cordon

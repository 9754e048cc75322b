#pragma once
// Whole text files that the command line names: sources, modules, secrets. Bounded while reading.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "cli/usage_error.h"
#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

struct TextLimit {
  std::uint64_t bytes;
  std::string_view flag = {};  // the one that raises it, for the message
};

// UTF-8 text within the limit. Directories, unreadable files, larger ones and other bytes are
// errors; pipes are read to their end. The message says what is wrong, not which file.
Result<std::string, UsageError> read_text_file(const std::filesystem::path& path, TextLimit limit);
Result<std::string, UsageError> read_text(const UniqueFd& descriptor, TextLimit limit);

}  // namespace cordon

#include "cli/command_line.h"

#include <algorithm>

namespace cordon {

Result<CommandLine, UsageError> split_command_line(std::span<const char* const> argv) {
  const std::vector<std::string> words(argv.begin() + (argv.empty() ? 0 : 1), argv.end());
  const auto separator = std::find(words.begin(), words.end(), "--");
  CommandLine line;
  line.command.assign(words.begin(), separator);
  if (separator != words.end()) line.arguments.assign(separator + 1, words.end());

  for (const std::string& word : line.command) {
    if (word.starts_with("--") && word.find('=') == word.size() - 1) {
      return UsageError{word, " needs a value after \"=\""};
    }
  }
  return line;
}

}  // namespace cordon

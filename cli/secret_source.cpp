#include "cli/secret_source.h"

#include <charconv>
#include <cstdlib>

#include "cli/text_file.h"

namespace cordon {
namespace {

std::optional<std::string> after_prefix(const std::string& source, std::string_view prefix) {
  if (!source.starts_with(prefix) || source.size() == prefix.size()) return std::nullopt;
  return source.substr(prefix.size());
}

std::string without_final_line_break(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

Result<std::string, UsageError> labelled(const std::string& source,
                                         Result<std::string, UsageError> text) {
  if (!text) return UsageError{source, ": ", text.error().message};
  return without_final_line_break(*std::move(text));
}

}  // namespace

Surroundings Surroundings::of_this_process() {
  return {std::filesystem::current_path(),
          [](const std::string& name) -> std::optional<std::string> {
            const char* value = std::getenv(name.c_str());
            if (value == nullptr) return std::nullopt;
            return value;
          }};
}

Result<std::string, UsageError> read_secret(const std::string& source,
                                            const Surroundings& surroundings) {
  if (const auto variable = after_prefix(source, "env:")) {
    if (auto value = surroundings.environment(*variable)) return *std::move(value);
    return UsageError{source, ": the variable is not set"};
  }
  if (const auto path = after_prefix(source, "file:")) {
    return labelled(source,
                    read_text_file(surroundings.working_directory / *path, {kMaxSecretBytes}));
  }
  if (const auto number = after_prefix(source, "fd:")) {
    int fd = -1;
    const char* const end = number->data() + number->size();
    if (std::from_chars(number->data(), end, fd) == std::from_chars_result{end, std::errc{}} &&
        fd >= 0) {
      const UniqueFd descriptor(fd);
      return labelled(source, read_text(descriptor, {kMaxSecretBytes}));
    }
  }
  return UsageError{
      "expected env:VARIABLE, file:PATH or fd:NUMBER; a value is never given on the command line, "
      "where every process on the machine could read it"};
}

}  // namespace cordon

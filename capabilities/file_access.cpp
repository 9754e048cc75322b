#include "capabilities/file_access.h"

#include <cstring>

#include "capabilities/shown_text.h"

namespace cordon {

namespace {

struct Words {
  const char* capability;  // also the option's name
  const char* request;
  const char* flag;
};

const Words& words(FileAccess access) noexcept {
  static constexpr Words kRead{"filesystem.read", "Filesystem read of ", "--allow-read="};
  static constexpr Words kWrite{"filesystem.write", "Filesystem write of ", "--allow-write="};
  return access == FileAccess::kRead ? kRead : kWrite;
}

std::string system_words(int error) {
  const char* description = ::strerrordesc_np(error);
  if (description == nullptr) return "system error " + std::to_string(error);
  std::string text = description;
  // "Input/output error" is a sentence start; "RFS specific error" is not.
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a')
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace

std::string asked(FileAccess access, std::string_view path) {
  return words(access).request + shown(path);
}

Refusal outside_roots(FileAccess access, std::string_view path) {
  const Words& w = words(access);
  return {.capability = w.capability,
          .message = asked(access, path) + " is not granted: add it to `" + w.capability + "` (" +
                     w.flag + shown(path) + ")",
          .reason = std::string("not beneath a root of ") + w.capability};
}

Refusal against_rule(FileAccess access, std::string_view path, std::string_view rule) {
  return {.capability = words(access).capability,
          .message = asked(access, path) + " is not granted: " + std::string(rule),
          .reason = std::string(rule)};
}

OperationFailure system_failure(FileAccess access, std::string_view path, int error) {
  return other_failure(access, path, system_words(error));
}

OperationFailure other_failure(FileAccess access, std::string_view path, std::string_view problem) {
  return {.message = asked(access, path) + " failed: " + std::string(problem),
          .reason = std::string(problem)};
}

}  // namespace cordon

#pragma once
// A directory tree of its own for one test, and short ways to ask how an operation ended.

#include <cordon/options.h>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "capabilities/authority.h"
#include "capabilities/operation.h"

namespace cordon::test {

// Removed with everything in it at the end.
class TempDirectory {
 public:
  TempDirectory();
  ~TempDirectory();
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  // Canonical absolute path of `relative` in this directory.
  std::string path(std::string_view relative = "") const;
  // Each makes the directories above as needed and returns the path.
  std::string file(std::string_view relative, std::string_view text) const;
  std::string directory(std::string_view relative) const;
  std::string link(std::string_view relative, std::string_view target) const;

 private:
  std::filesystem::path path_;
};

std::string contents(const std::string& path);

Authority reading(std::vector<std::string> roots);
Authority writing(std::vector<std::string> roots);

template <class T>
Refusal refusal_of(const OperationResult<T>& result) {
  REQUIRE(result.has_error());
  const OperationError error = result.error();
  if (const auto* failure = std::get_if<OperationFailure>(&error)) FAIL(failure->message);
  return std::get<Refusal>(error);
}

template <class T>
OperationFailure failure_of(const OperationResult<T>& result) {
  REQUIRE(result.has_error());
  const OperationError error = result.error();
  if (const auto* refusal = std::get_if<Refusal>(&error)) FAIL(refusal->message);
  return std::get<OperationFailure>(error);
}

// How `result` ended, for comparing whole answers.
template <class T>
std::string message_of(const OperationResult<T>& result) {
  if (!result) {
    return std::visit([](const auto& error) { return error.message + "|" + error.reason; },
                      result.error());
  }
  return "succeeded";
}

template <class T>
void require_value(const OperationResult<T>& result) {
  INFO(message_of(result));
  REQUIRE(result.has_value());
}

// Runs `action` without root's powers: as it is, or in a child process that gives them up. Returns
// what it returned.
std::string as_ordinary_user(const std::function<std::string()>& action);

}  // namespace cordon::test

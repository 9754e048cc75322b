#pragma once
// Where `--secret=NAME=SOURCE` takes a value from. Never the command line itself: every process on
// the machine could read it there.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// What the command was started in, as a value so that tests can choose it.
struct Surroundings {
  std::filesystem::path working_directory;
  std::function<std::optional<std::string>(const std::string& name)> environment;

  static Surroundings of_this_process();
};

inline constexpr std::size_t kMaxSecretBytes = std::size_t{64} << 10;

// `source` is env:VARIABLE, file:PATH or fd:NUMBER. One line break at the end of a file's or a
// descriptor's text is dropped; the descriptor is read to its end and closed. No message repeats
// `source` unless it has one of these forms.
Result<std::string, UsageError> read_secret(const std::string& source,
                                            const Surroundings& surroundings);

}  // namespace cordon

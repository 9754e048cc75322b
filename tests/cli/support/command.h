#pragma once
// The real `cordon`, started as a shell would start it, with its output captured.

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "messages/unique_fd.h"

namespace cordon::test {

struct Finished {
  int code = -1;    // exit code, or 128 + the signal that ended it
  std::string out;  // standard output
  std::string err;  // standard error
};

struct Invocation {
  std::vector<std::string> arguments;  // without the executable's name
  std::filesystem::path working_directory = ".";
  std::map<std::string, std::string> environment = {};  // added to the test's own
  std::optional<std::string> fd3 = {};                  // text to be read from descriptor 3
  std::string input = {};                               // text of standard input
  bool terminal = false;                                // standard input is a terminal
};

// Kills the command when it goes away before the command has ended.
class Command {
 public:
  explicit Command(const Invocation& invocation);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Blocks until standard error holds `text`; false when it ended without.
  bool wait_for_err(const std::string& text);
  void signal(int number) const;
  Finished finish();

 private:
  bool read_more();

  pid_t pid_ = -1;
  UniqueFd out_, err_, terminal_;
  Finished finished_;
};

Finished run_cordon(const Invocation& invocation);
Finished run_cordon(const std::vector<std::string>& arguments);

}  // namespace cordon::test

#include "cli/output.h"

#include <unistd.h>

#include <cstdio>

#include "cli/terminal_text.h"

namespace cordon {

void tell_raw(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void tell(std::string_view label, std::string_view text) {
  tell_raw(std::string(label) + printable(text) + "\n");
}

bool print_data(const std::string& json) {
  return print_text((::isatty(STDOUT_FILENO) == 1 ? printable_json(json) : json) + "\n");
}

bool print_text(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  tell("cordon: ", "the result could not be written to standard output");
  return false;
}

}  // namespace cordon

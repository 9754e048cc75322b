#include "cli/output.h"

#include <unistd.h>

#include <system_error>

#include "cli/terminal_text.h"
#include "messages/write_all.h"

namespace cordon {

void tell_raw(std::string_view text) {
  static_cast<void>(write_all(STDERR_FILENO, text));  // there is nobody else to tell
}

void tell(std::string_view label, std::string_view text) {
  tell_raw(std::string(label) + printable(text) + "\n");
}

bool print_data(const std::string& json) {
  return print_text((::isatty(STDOUT_FILENO) == 1 ? printable_json(json) : json) + "\n");
}

bool print_text(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == 0) return true;
  tell("cordon: ", "the result could not be written to standard output: " +
                       std::generic_category().message(error));
  return false;
}

}  // namespace cordon

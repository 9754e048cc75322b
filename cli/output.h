#pragma once
// The two streams: standard output is data, standard error is people.

#include <string>
#include <string_view>

namespace cordon {

// Writes `text` as it is: console lines and reports that are printable already. One write, so that
// threads do not mix their lines.
void tell_raw(std::string_view text);

// A message of the command's own: `label` and `text`, made printable, with a line break.
void tell(std::string_view label, std::string_view text);

// One JSON text and a line break on standard output, escaped for a terminal if it is one. False,
// and a message, when it could not be written.
bool print_data(const std::string& json);

// The same for text of the command's own, as it is.
bool print_text(std::string_view text);

}  // namespace cordon

#include "capabilities/subprocess_policy.h"

#include <algorithm>

#include "capabilities/shown_text.h"

namespace cordon {

Result<CheckedCommand, Refusal> decide_subprocess(const Authority& authority,
                                                  std::string_view executable,
                                                  const std::vector<std::string>& arguments) {
  const std::string name = shown(executable);
  const SubprocessAuthority* subprocess = authority.subprocess();
  const GrantedCommand* command = subprocess ? subprocess->find(executable) : nullptr;
  if (command == nullptr)
    return Refusal{.capability = "subprocess",
                   .message = "Subprocess " + name +
                              " is not granted: add its absolute path to `subprocess.commands` "
                              "(--allow-run=" +
                              name + ")",
                   .reason = "command is not in subprocess.commands"};
  const bool has_nul = std::any_of(arguments.begin(), arguments.end(), [](const std::string& text) {
    return text.find('\0') != std::string::npos;
  });
  if (has_nul)
    return Refusal{.capability = "subprocess",
                   .message = "Subprocess " + name + " is not granted: an argument holds NUL",
                   .reason = "an argument holds NUL"};
  return CheckedCommand{*command, arguments};
}

}  // namespace cordon

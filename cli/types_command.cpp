#include "cli/types_command.h"

#include <cordon/options.h>

#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/tool_file.h"
#include "cli/types/declarations.h"

namespace cordon {

namespace {

int refuse(const std::string& problem) {
  tell("cordon: ", problem);
  return kExitUsage;
}

}  // namespace

TypesCommand::TypesCommand(CLI::App& cordon)
    : command_(*cordon.add_subcommand(
          "types", "Print the TypeScript declarations of what a program may use")) {
  command_
      .add_option("--tools", tool_file_,
                  "Add the declarations of the host's own tools, described in JSON (docs/tools.md)")
      ->type_name("FILE.json");
  command_.footer(
      "The text goes into a model's prompt, or as a .d.ts file beside a program: the capability\n"
      "module, the globals beyond ECMAScript 2025, the limits and what may be imported. Check "
      "with\n"
      "tsc --noEmit --lib es2025 --types '' sandbox.d.ts program.ts");
}

int TypesCommand::execute() const {
  std::string text(guest_declarations());
  if (!tool_file_.empty()) {
    const auto modules = read_tool_file(tool_file_);
    if (!modules) return refuse(modules.error().message);
    try {
      text += "\n" + tool_declarations(*modules);
    } catch (const InvalidOption& invalid) {
      return refuse("--tools=" + tool_file_ + ": " + invalid.what());
    }
  }
  return print_text(text) ? kExitOk : kExitError;
}

}  // namespace cordon

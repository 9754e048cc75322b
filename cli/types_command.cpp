#include "cli/types_command.h"

#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/types/declarations.h"

namespace cordon {

TypesCommand::TypesCommand(CLI::App& cordon)
    : command_(*cordon.add_subcommand(
          "types", "Print the TypeScript declarations of what a program may use")) {
  command_.footer(
      "The text goes into a model's prompt, or as a .d.ts file beside a program: the capability\n"
      "module, the globals beyond ECMAScript 2025, the limits and what may be imported. Check "
      "with\n"
      "tsc --noEmit --lib es2025 --types '' sandbox.d.ts program.ts");
}

int TypesCommand::execute() const {
  return print_text(guest_declarations()) ? kExitOk : kExitError;
}

}  // namespace cordon

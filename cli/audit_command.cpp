#include "cli/audit_command.h"

namespace cordon {

AuditCommand::AuditCommand(CLI::App& cordon)
    : command_(*cordon.add_subcommand("audit", "Check audit trails and ask them")),
      verify_(command_),
      show_(command_, AuditQuery::Kind::kShow),
      query_(command_, AuditQuery::Kind::kQuery),
      stats_(command_),
      suggest_grants_(command_),
      export_(command_) {
  command_.require_subcommand(1);
}

int AuditCommand::execute() const {
  if (verify_.chosen()) return verify_.execute();
  if (show_.chosen()) return show_.execute();
  if (query_.chosen()) return query_.execute();
  if (stats_.chosen()) return stats_.execute();
  if (suggest_grants_.chosen()) return suggest_grants_.execute();
  return export_.execute();
}

}  // namespace cordon

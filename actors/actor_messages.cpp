#include <cordon/actor_messages.h>

namespace cordon {

std::string to_string(ActorError error) {
  switch (error) {
    case ActorError::kNone:
      return "none";
    case ActorError::kBusy:
      return "busy";
    case ActorError::kShutDown:
      return "shut down";
    case ActorError::kInvalidOptions:
      return "invalid options";
    case ActorError::kProtocol:
      return "protocol error";
    case ActorError::kAuditFailed:
      return "audit failed";
  }
  return "unknown";
}

}  // namespace cordon

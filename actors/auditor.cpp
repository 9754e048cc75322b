#include "actors/auditor.h"

#include <utility>

#include <cordon/runtime.h>

namespace cordon {

std::shared_ptr<AuditLog> open_audit_log(const std::optional<std::filesystem::path>& file) {
  if (!file) return std::make_shared<AuditLog>();
  auto opened = AuditLog::open(*file);
  if (!opened) throw Unavailable("The audit log cannot be written: " + opened.error());
  return std::make_shared<AuditLog>(std::move(*opened));
}

AuditorActor::behavior_type auditor_actor(AuditorActor::stateful_pointer<AuditorState> self,
                                          const std::shared_ptr<AuditLog>& log,
                                          AuditSubscriber subscriber) {
  self->state.log.emplace(std::move(*log));
  self->state.subscriber = std::move(subscriber);
  return {
      [self](record_atom, const AuditRecordMessage& message) -> caf::result<AuditReceiptMessage> {
        auto& state = self->state;
        const auto event = state.log->append(*message.read());
        if (!event) return caf::error(ActorError::kAuditFailed);
        if (state.subscriber) state.subscriber(*event);
        return AuditReceiptMessage::build([&](wire::AuditReceipt::Builder receipt) {
          receipt.setSeq(event->seq);
          receipt.setTimestamp(event->timestamp);
          receipt.setHash(event->hash.c_str());
        });
      },
      [self](head_atom) -> std::string { return self->state.log->head().hash; },
  };
}

}  // namespace cordon

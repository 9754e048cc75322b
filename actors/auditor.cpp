#include "actors/auditor.h"

#include <caf/send.hpp>

#include <utility>

#include <cordon/runtime.h>

namespace cordon {

namespace {

using Self = AuditorImpl::stateful_pointer<AuditorState>;

AuditReceiptMessage receipt_for(const SandboxAuditEvent& event) {
  return AuditReceiptMessage::build([&](wire::AuditReceipt::Builder receipt) {
    receipt.setSeq(event.seq);
    receipt.setTimestamp(event.timestamp);
    receipt.setHash(event.hash.c_str());
  });
}

// Publishes what was written and answers for it. None: it could not be written.
caf::expected<AuditReceiptMessage> settle(AuditorState& state,
                                          const std::optional<SandboxAuditEvent>& event) {
  if (event) {
    if (state.setup.publish) state.setup.publish(*event);
    return receipt_for(*event);
  }
  ++*state.setup.lost;
  if (state.setup.best_effort) return receipt_for({});
  return caf::make_error(ActorError::kAuditFailed);
}

void on_written(Self self, const AuditorThread::Group& group) {
  auto& state = self->state;
  state.head = group.head;
  for (const auto& [key, event] : group.written) {
    const auto found = state.waiting.find(key);
    if (found == state.waiting.end()) continue;
    auto receipt = settle(state, event);
    if (receipt) {
      found->second.deliver(std::move(*receipt));
    } else {
      found->second.deliver(std::move(receipt.error()));
    }
    state.waiting.erase(found);
  }
}

caf::result<AuditReceiptMessage> write_elsewhere(Self self, const AuditRecordMessage& record) {
  auto& state = self->state;
  const std::uint64_t key = ++state.last_key;
  auto promise = self->make_response_promise<AuditReceiptMessage>();
  state.waiting.emplace(key, promise);
  state.thread->write(key, record);
  return promise;
}

caf::result<AuditReceiptMessage> write_here(AuditorState& state, const AuditRecordMessage& record) {
  auto event = state.log->append(record);
  auto receipt =
      settle(state, event ? std::optional(std::move(*event)) : std::optional<SandboxAuditEvent>());
  if (!receipt) return std::move(receipt.error());
  return std::move(*receipt);
}

}  // namespace

AuditorState::~AuditorState() {
  thread.reset();
  if (log) log->close();
  for (auto& [key, promise] : waiting) promise.deliver(caf::make_error(ActorError::kAuditFailed));
}

AuditorImpl::behavior_type auditor_actor(Self self, AuditorSetup setup) {
  auto& state = self->state;
  state.setup = std::move(setup);
  AuditLog log = std::move(*state.setup.log);
  state.head = log.head().hash;
  if (state.setup.group_limit == 0) {
    state.log.emplace(std::move(log));
  } else {
    state.thread = std::make_unique<AuditorThread>(
        std::move(log), state.setup.group_limit,
        [me = caf::actor_cast<AuditorImpl>(self)](AuditorThread::Group group) {
          caf::anon_send(
              me, written_atom_v,
              GroupWritten{std::make_shared<const AuditorThread::Group>(std::move(group))});
        },
        std::move(state.setup.thread));
  }
  return {
      [self](record_atom, const AuditRecordMessage& record) -> caf::result<AuditReceiptMessage> {
        if (self->state.thread) return write_elsewhere(self, record);
        return write_here(self->state, record);
      },
      [self](head_atom) -> std::string {
        const auto& now = self->state;
        return now.log ? now.log->head().hash : now.head;
      },
      [self](written_atom, const GroupWritten& written) { on_written(self, *written.group); },
  };
}

}  // namespace cordon

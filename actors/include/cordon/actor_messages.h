#pragma once
// What Cordon's actors exchange: messages as CAF message elements, the verbs that go with them, and
// the error codes of a request that has no answer. <cordon/actors.h> makes and reads the messages.

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/atom.hpp>
#include <caf/binary_deserializer.hpp>
#include <caf/error.hpp>
#include <caf/sec.hpp>
#include <caf/serializer.hpp>
#include <caf/type_id.hpp>

#include <cstdint>
#include <string>

#include <cordon/payload.h>

// The roots of the messages, defined by the schemas.
namespace cordon::wire {
struct Call;
struct Outcome;
struct ConsoleText;
struct ChildFrame;
struct HostFrame;
struct LeaseRequest;
struct Lease;
struct Settlement;
struct BrokerClosed;
struct AuditRecord;
struct AuditReceipt;
}  // namespace cordon::wire

namespace cordon {

using CallMessage = Message<wire::Call>;
using OutcomeMessage = Message<wire::Outcome>;
using ConsoleMessage = Message<wire::ConsoleText>;
using ChildFrameMessage = Message<wire::ChildFrame>;
using HostFrameMessage = Message<wire::HostFrame>;
using LeaseRequestMessage = Message<wire::LeaseRequest>;
using LeaseMessage = Message<wire::Lease>;
using SettlementMessage = Message<wire::Settlement>;
using BrokerClosedMessage = Message<wire::BrokerClosed>;
using AuditRecordMessage = Message<wire::AuditRecord>;
using AuditReceiptMessage = Message<wire::AuditReceipt>;

// Why a request between actors has no answer.
enum class ActorError : std::uint8_t {
  kNone = 0,
  kBusy,            // the pool's queue is full; nothing was started
  kShutDown,        // the actor is going away; nothing was started
  kInvalidOptions,  // the call's options cannot be used; nothing was started
  kProtocol,        // the child broke the session protocol
  kAuditFailed,     // the event could not be written; the effect's reply must not reach the guest
};

std::string to_string(ActorError error);

// CAF must be able to serialise its messages; Cordon's never leave the process by that way, but a
// caller's actor system may ask. The bytes are treated as hostile when read back.
template <class T>
caf::error inspect(caf::serializer& sink, Message<T>& message) {
  auto bytes = static_cast<std::uint64_t>(message.bytes().size());
  if (auto error = sink.apply(bytes)) return error;
  if (bytes == 0) return caf::none;
  return sink.apply_raw(message.bytes().size(), const_cast<std::byte*>(message.bytes().data()));
}

template <class T>
caf::error inspect(caf::deserializer& source, Message<T>& message) {
  std::uint64_t bytes = 0;
  if (auto error = source.apply(bytes)) return error;
  message = Message<T>();
  if (bytes == 0) return caf::none;
  if (bytes % Payload::kWordBytes != 0 || bytes > kMaxPayloadBytes)
    return caf::sec::invalid_argument;
  const auto* const binary = dynamic_cast<const caf::binary_deserializer*>(&source);
  if (binary != nullptr && binary->remaining() < bytes) return caf::sec::end_of_stream;
  Payload payload = Payload::uninitialised(static_cast<std::size_t>(bytes));
  if (auto error =
          source.apply_raw(payload.mutable_bytes().size(), payload.mutable_bytes().data())) {
    return error;
  }
  if (!payload.has_sound_segment_table()) return caf::sec::invalid_argument;
  message = Message<T>(std::move(payload));
  return caf::none;
}

template <class T>
std::string to_string(const Message<T>& message) {
  return "message of " + std::to_string(message.bytes().size()) + " bytes";
}

}  // namespace cordon

CAF_BEGIN_TYPE_ID_BLOCK(cordon, caf::first_custom_type_id + 400)
CAF_ADD_TYPE_ID(cordon, (cordon::CallMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::OutcomeMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::ConsoleMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::ChildFrameMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::HostFrameMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::LeaseRequestMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::LeaseMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::SettlementMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::BrokerClosedMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::AuditRecordMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::AuditReceiptMessage))
CAF_ADD_TYPE_ID(cordon, (cordon::ActorError))
CAF_ADD_ATOM(cordon, cordon, run_atom, "run")
CAF_ADD_ATOM(cordon, cordon, terminate_atom, "terminate")
CAF_ADD_ATOM(cordon, cordon, console_atom, "console")
CAF_ADD_ATOM(cordon, cordon, perform_atom, "perform")
CAF_ADD_ATOM(cordon, cordon, conclude_atom, "conclude")
CAF_ADD_ATOM(cordon, cordon, lease_atom, "lease")
CAF_ADD_ATOM(cordon, cordon, settle_atom, "settle")
CAF_ADD_ATOM(cordon, cordon, record_atom, "record")
CAF_ADD_ATOM(cordon, cordon, head_atom, "head")
CAF_ADD_ATOM(cordon, cordon, written_atom, "written")
CAF_ADD_ATOM(cordon, cordon, expired_atom, "expired")
CAF_ADD_ATOM(cordon, cordon, child_atom, "child")
CAF_ADD_ATOM(cordon, cordon, compiled_atom, "compiled")
CAF_ADD_ATOM(cordon, cordon, frame_atom, "frame")
CAF_ADD_ATOM(cordon, cordon, exited_atom, "exited")
CAF_ADD_ATOM(cordon, cordon, performed_atom, "performed")
CAF_ADD_ATOM(cordon, cordon, fetched_atom, "fetched")
CAF_ADD_ATOM(cordon, cordon, spawned_atom, "spawned")
CAF_ADD_ATOM(cordon, cordon, credit_atom, "credit")
CAF_ADD_ATOM(cordon, cordon, drain_atom, "drain")
CAF_ADD_ATOM(cordon, cordon, answered_atom, "answered")
CAF_END_TYPE_ID_BLOCK(cordon)
CAF_ERROR_CODE_ENUM(cordon::ActorError, "cordon")

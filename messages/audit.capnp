@0xaa5d5dd39616c82e;
# What broker and sandbox tell the auditor, and what it answers.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("cordon::wire");

enum AuditOutcome {
  used @0;
  denied @1;
  error @2;  # failed after authorization
}

struct AuditRecord {
  # One event before it has its place in the log. All text is already redacted, escaped and capped
  # by the sender, who alone knows the call's secrets; the auditor never sees a secret value.
  sandbox @0 :Text;      # the call's id, assigned by the host
  capability @1 :Text;   # contract section 3, or "execute"
  operation @2 :Text;    # the function's name when `capability` is a `resource.*`; else null
  target @3 :Text;       # null: none
  outcome @4 :AuditOutcome;
  reason @5 :Text;       # written by the host, never guest text; null: none
  durationUs @6 :Int64;  # -1: none
  bytes @7 :Int64;       # -1: none
  count @8 :Int64;       # -1: none; operations refused after the first refusal
}

struct AuditReceipt {
  # The event is in the log, as durably as the sink promises. A failed append is an error reply.
  seq @0 :UInt64;
  timestamp @1 :Int64;  # Unix milliseconds
  hash @2 :Text;        # lower-case hex SHA-256: the log's head right after this event
}

@0x8589dc5aab73bebe;
# What actors say to each other about one call: the call itself, its outcome, and the leases that
# the budget grants.

using Cxx = import "/capnp/c++.capnp";
using Grants = import "grants.capnp";
using Session = import "session.capnp";
$Cxx.namespace("cordon::wire");

struct Call {
  # Caller to pool, pool to sandbox.
  sandbox @0 :Text;     # the call's id, assigned by the host
  source @1 :Text;      # TypeScript
  sourceName @2 :Text;
  entry @3 :Session.Entry;
  arguments @4 :Data;   # tagged JSON text of one array
  options @5 :Grants.Options;
  tests @6 :Text;       # TypeScript to be evaluated after the program; null: none
  assertModule @7 :Bool;  # the built-in assert may be imported
  random @8 :Session.RandomSeed;
  clock @9 :Session.Clock;
  tenant @10 :Text;     # on whose behalf: calls that wait are started in turns of their tenants
}

enum Status {
  # The closed set of contract section 4.
  ok @0;
  error @1;
  compileError @2;
  denied @3;
  timeout @4;
  cpuLimit @5;
  outOfMemory @6;
  outputLimit @7;
  crashed @8;
  terminated @9;
  unavailable @10;
  auditFailed @11;
}

struct Outcome {
  status @0 :Status;
  value @1 :Data;             # ok: tagged JSON text, checked by the host
  consoleText @2 :Text;       # well-formed UTF-8, whatever the status
  consoleTruncated @3 :Bool;
  error @4 :ErrorInfo;        # null when ok
  denial @5 :Session.Denial;  # denied and the limits; else null
  usage @6 :Usage;
  signal @7 :Int32;           # crashed: the signal's number, 0 when the child exited
  subprocess @8 :SubprocessReport;  # null: no command was run
  sandbox @9 :Text;           # the call's id
}

struct SubprocessReport {
  # The walls around a call's commands: what each is made of; and what was asked for and left out,
  # with the reason.
  walls @0 :List(Grants.NamedText);
  missing @1 :List(Grants.NamedText);
}

struct ErrorInfo {
  name @0 :Text;
  message @1 :Text;
  stack @2 :Text;    # mapped to the TypeScript source; null when there is none
  line @3 :UInt32;   # 1-based position in the TypeScript, 0 when unknown
  column @4 :UInt32; # 1-based
  inTests @5 :Bool;  # the program had completed: its tests ended so, or could not be compiled
}

struct Usage {
  wallUs @0 :UInt64;     # from the call's start, queueing excluded
  queueUs @1 :UInt64;
  cpuUs @2 :UInt64;      # the child's user and system time
  peakMemoryBytes @3 :UInt64;  # the child's largest resident set, pages shared with the zygote included
  operations @4 :UInt64; # capability calls that reached the host
  bytesIn @5 :UInt64;    # frames to the child
  bytesOut @6 :UInt64;   # frames from the child
}

# ---------------------------------------------------------------------------- broker and budget

struct LeaseRequest {
  # Broker to budget, once per capability call, in order of arrival.
  function @0 :Session.Function;
  sandbox @1 :Text;  # the call's id: from a call's own budget to one that calls share
  tenant @2 :Text;
}

struct Lease {
  # Budget to broker. Held until settled; a lease counts against maxConcurrentOperations.
  serial @0 :UInt64;     # 1-based number of the operation within the call
  granted @1 :Bool;      # false: maxOperations are used up
  firstRefusal @2 :Bool; # only the first refusal is an event of its own
  limit @3 :UInt64;      # maxOperations, for the message
  reason @4 :Text;       # refused by a budget that calls share: what it says, host-written words
}

struct BrokerClosed {
  # Broker to sandbox when it is asked to close: every operation is over and recorded.
  operations @0 :UInt64;  # capability calls that reached the host
  unrecorded @1 :UInt64;  # of those, refused as resource.operations after the first such refusal
  subprocess @2 :SubprocessReport;  # null: no command was run
}

struct Settlement {
  # Broker to budget when the operation is over, whatever its end.
  serial @0 :UInt64;  # 0, to a budget that calls share: the call is over and holds nothing more
  sandbox @1 :Text;   # as in LeaseRequest
  tenant @2 :Text;
}

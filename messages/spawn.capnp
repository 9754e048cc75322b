@0xad588a65ad36906b;
# The control channel between the host and one `cordon-engine` process: how children come to be.
#
# A SEQPACKET socket: one packet is one Cap'n Proto message (at most 4 KiB) with the descriptors
# that its field names as SCM_RIGHTS. No guest code ever runs in a process that holds this channel,
# so its frames are checked for shape and trusted for meaning.
#
# Start: the host executes `cordon-engine zygote` (or `compiler`) with the control socket as
# descriptor 3 and the read end of a lifeline pipe as descriptor 4. The launcher answers with
# `launched`, the zygote with `ready`; either may answer with `failed` instead, and exits. They are
# two processes: a zygote that the scheduler favours is ready first.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("cordon::wire");

struct EngineFrame {
  # Engine to host.
  union {
    launched @0 :Void;       # + descriptors: pidfd of the namespace init, pidfd of the zygote
    ready @1 :Ready;
    failed @2 :StartFailure;
    forked @3 :Forked;
  }
}

struct Ready {
  engine @0 :Text;     # e.g. "mozjs-102.15.1"
  build @1 :Text;      # Cordon's build id; the host refuses another one than its own
  dataBytes @2 :UInt64;  # RLIMIT_DATA already in use by the warm engine: added to a call's limit
  hugeTextBytes @3 :UInt64;  # of the engine's code, on huge pages: 0 where there are none (no protection)
  hugeDataBytes @4 :UInt64;  # the same of its data
}

struct StartFailure {
  # A mechanism that this host cannot give. Nothing was run.
  mechanism @0 :Text;  # "user namespace", "landlock", "seccomp", "engine", ...
  message @1 :Text;    # what failed, with the system's error text
  remedy @2 :Text;     # what an administrator can do about it
}

struct ForkRequest {
  # Host to zygote, + descriptor: the child's end of its channel. Answered in order.
  serial @0 :UInt64;
  rehearse @1 :Bool;  # the job comes later: run a small one of the engine's own while there is time
}

struct Forked {
  serial @0 :UInt64;    # the request's
  error @1 :Int32;      # 0, or the errno of clone
  # + descriptor when error is 0: the child's pidfd. The host is the child's parent.
}

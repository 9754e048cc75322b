@0xf36718eeee153d3e;
# The options of one sandbox, as they travel from the public API to the sandbox actor. In-process
# only: they hold secret values. Everything is validated again where it is used.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("cordon::wire");

struct NamedText {
  name @0 :Text;
  value @1 :Text;
}

struct Options {
  readRoots @0 :List(Text);
  writeRoots @1 :List(Text);
  network @2 :NetworkGrant;        # null: denied
  subprocess @3 :SubprocessGrant;  # null: denied
  environment @4 :List(NamedText);
  secrets @5 :List(NamedText);
  modules @6 :List(NamedText);     # specifier, ES module source
  resources @7 :Resources;
  experimentalDecorators @8 :Bool; # compilerOptions.experimentalDecorators
}

struct NetworkGrant {
  origins @0 :List(Text);
  methods @1 :List(Text);
  allowPrivateAddresses @2 :Bool;
}

struct SubprocessGrant {
  commands @0 :List(Text);
  environment @1 :List(NamedText);
  timeoutMs @2 :UInt64;
  sandbox @3 :ProcessPolicy;
}

struct ProcessPolicy {
  # Contract section 5.
  bestEffort @0 :Bool;     # else strict
  memoryBytes @1 :UInt64;  # 0: not asked for
  pids @2 :UInt64;         # 0: not asked for
  cpu @3 :Float64;         # CPUs; 0: not asked for
  readonly @4 :List(Text);
  writable @5 :List(Text);
  outbound @6 :Bool;
  inbound @7 :Bool;
  allowFork @8 :Bool;
  allowExec @9 :Bool;
  allowedBinaries @10 :List(Text);
  syscalls @11 :SyscallList;  # null: none
}

struct SyscallList {
  allow @0 :Bool;  # nothing but these; else everything but these
  names @1 :List(Text);
}

struct Resources {
  # Contract section 2; all positive. maxCpuMs: 0 means none.
  maxOperations @0 :UInt64;
  maxReadBytes @1 :UInt64;
  maxWriteBytes @2 :UInt64;
  maxNetworkBytes @3 :UInt64;
  maxProcessOutputBytes @4 :UInt64;
  wallClockMs @5 :UInt64;
  maxMemoryBytes @6 :UInt64;
  maxCpuMs @7 :UInt64;
  maxConsoleBytes @8 :UInt64;
  maxResultBytes @9 :UInt64;
  maxSourceBytes @10 :UInt64;
  maxConcurrentOperations @11 :UInt64;
  maxToolBytes @12 :UInt64;
}

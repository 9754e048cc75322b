@0xc2c4f8ab4c3d6a51;
# The channel between the host and `cordon-launch`, the first process in a command's sandbox.
#
# A SEQPACKET socket: one packet is one LaunchFrame, with the descriptors that its field names. The
# host also holds its end as the sandbox's lifeline: when it closes, however that comes, the launcher
# exits, and the kernel kills every process of the sandbox with it. No untrusted program ever holds
# this channel, so frames are checked for shape and trusted for meaning.
#
# What to launch comes in a sealed memory file that holds one `Launch`: it may hold secrets (the
# environment, arguments), which no command line and no environment of a process outside may show.

using Cxx = import "/capnp/c++.capnp";
using Spawn = import "spawn.capnp";
$Cxx.namespace("cordon::wire");

struct Launch {
  # Paths are absolute and name places in the sandbox's own view.
  executable @0 :Text;
  arguments @1 :List(Text);       # argv[0] included
  environment @2 :List(Text);     # NAME=value, all of it
  directory @3 :Text;             # the private scratch directory, and the working directory
  scratchBytes @4 :UInt64;        # size of the scratch file system
  roots @5 :List(Root);           # mounts that the launcher puts in their places, outer ones first
  executableMounts @6 :List(Text);  # every other mount becomes noexec
  mayExecute @7 :List(Text);      # files that Landlock lets be executed
  mayWrite @8 :List(Text);        # directories and files that Landlock lets be changed, scratch aside
  mayBind @9 :Bool;               # TCP, by Landlock
  mayConnect @10 :Bool;
  limits @11 :List(ResourceLimit);
  filters @12 :List(Data);        # seccomp programs, each an array of sock_filter, in their order
  allowExec @13 :Bool;            # false: the command may execute nothing at all
  becomeUnprivileged @14 :Bool;   # the launcher is root outside: take an unprivileged user id
  allowMissingWalls @15 :Bool;    # best effort: go on where this kernel has no Landlock
  granted @17 :List(GrantedRoot); # all roots: what must be found at their paths
  controlGroups @16 :UInt32;      # so many descriptors, open on cgroup.procs files, for the command to join
  build @18 :Text;                # Cordon's build id; the launcher refuses another one than its own
  unlimitedCpu @19 :Text;         # not empty: there is a CPU quota; what lifts it, to be written before the
                                  # launcher exits, as what has used up its quota cannot die
}

struct Root {
  source @0 :Text;   # where the view has it first
  path @1 :Text;
  writable @2 :Bool;
}

struct GrantedRoot {
  # Commands may rename what is beneath a writable root, so that a path leads elsewhere next time.
  path @0 :Text;
  device @1 :UInt64;
  inode @2 :UInt64;
}

struct ResourceLimit {
  resource @0 :Int32;  # RLIMIT_*
  value @1 :UInt64;    # soft and hard
}

struct LaunchFrame {
  union {
    started @0 :Started;           # + descriptor: pidfd of the sandbox's first process
    failed @1 :Spawn.StartFailure; # the sandbox is not as asked: nothing was run
    notExecuted @2 :Int32;         # the sandbox is up, but executing the command failed: errno
    ended @3 :CommandEnd;
  }
}

struct Started {
  # The sandbox is complete; the command runs next.
  landlock @0 :UInt32;     # version of the kernel's interface; 0: none
  user @1 :UInt32;         # unprivileged user id on the host; 0: that of the host's process
  ownersMapped @2 :Bool;   # roots show root's files as the command's own
}

struct CommandEnd {
  code @0 :Int32;    # exit status, or -1 when a signal ended it
  signal @1 :Int32;  # or 0
}

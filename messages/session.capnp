@0xee841448af197c24;
# The session between the host and one engine child: every frame on the child's only channel.
#
# The channel is a stream socket. Each frame is an 8-byte little-endian length (bytes, non-zero, a
# multiple of eight, capped per direction: see frame.h) followed by one Cap'n Proto message of that
# length in the standard stream encoding.
#
# Trust: the child runs hostile code in a hostile engine. A `ChildFrame` is an attack until checked.
# A `HostFrame` is trusted by the child.
#
# Text carries UTF-8. Where it comes from the guest it may hold anything, NUL and ill-formed
# sequences (a lone surrogate is written in its three-byte WTF-8 form) included: the host validates
# before it uses such text as a name, path or URL.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("cordon::wire");

enum Function {
  # The six capability functions, in the order of the contract; and any tool of the host.
  environment @0;
  secret @1;
  readText @2;
  writeText @3;
  fetchText @4;
  spawn @5;
  tool @6;
}

enum Entry {
  # How the guest's module is run.
  module @0;  # its default export is called once with the arguments
  script @1;  # its top level is the program; arguments are not used, `require` reaches the modules
}

# ---------------------------------------------------------------------------- host to child

struct HostFrame {
  union {
    job @0 :Job;      # first frame, exactly once
    reply @1 :Reply;  # answers one request
  }
}

struct Job {
  # Everything the child ever learns about a call. Never grants, secrets or host paths.
  code @0 :Text;             # the main module, already JavaScript
  sourceName @1 :Text;       # file name of the main module in stack traces, e.g. "main.ts"
  entry @2 :Entry;
  arguments @3 :Data;        # tagged JSON text (contract section 4) of one array
  modules @4 :List(Module);  # what the host allows to be imported besides the capability module
  limits @5 :ChildLimits;
  tests @6 :Text;            # body of an async function, JavaScript, evaluated after the program has
                             # completed, within its scope; null: none. Guest code sees it in no form
                             # before it runs.
  assertModule @7 :Bool;     # "assert" and "node:assert" are the built-in module, whatever `modules` say
  random @8 :RandomSeed;     # null: fresh
  clock @9 :Clock;           # null: the system's
  tools @10 :List(ToolModule);  # functions of the host that may be imported
}

struct ToolModule {
  # Names only: what the functions take and do is known to the host alone.
  specifier @0 :Text;
  names @1 :List(Text);  # ASCII identifiers, no reserved words
}

struct RandomSeed {
  # Math.random begins with this seed: the same job draws the same numbers. Nothing else is seeded.
  seed @0 :UInt64;
}

struct Clock {
  # What Date takes for now, at all times of the run. Timers and performance.now are not changed.
  unixMs @0 :Int64;
}

struct Module {
  specifier @0 :Text;  # exact import specifier
  code @1 :Text;       # ES module source, already JavaScript
}

struct ChildLimits {
  # Limits that the child keeps itself, so that they end in a clear report. The host enforces the
  # same ones from outside, so nothing depends on the child keeping them.
  heapBytes @0 :UInt64;     # the guest's values: GC heap and buffers, above what the warm engine uses
  consoleBytes @1 :UInt64;  # UTF-8 bytes of console text in all, one more a line; the rest is cut
  resultBytes @2 :UInt64;   # bytes of the result's JSON text
  argumentBytes @3 :UInt64; # a tool's arguments are not sent when they have more bytes than this;
                            # text to write or send is cut at a character after this many bytes:
                            # more than any limit of the host allows, so a cut one is refused there
  openRequests @4 :UInt32;  # requests that are sent and not yet answered; more wait in the child. The
  openBytes @5 :UInt64;     # same in bytes of their messages; a single request may have more. Below
                            # both, the host reads on, whatever it waits for
}

struct Reply {
  # The end of one capability call.
  id @0 :UInt64;  # the request's id; a reply to an unknown id is ignored
  union {
    done @1 :Void;             # writeText
    text @2 :Text;             # environment, secret, readText: UTF-8, always well formed
    response @3 :HttpResponse; # fetchText
    exit @4 :ProcessExit;      # spawn
    denied @5 :Denial;         # rejects with SandboxDeniedError
    failed @6 :Failed;         # rejects with an ordinary Error
    value @7 :Data;            # tool: tagged JSON text
  }
}

struct Denial {
  # A refusal by the host.
  capability @0 :Text;  # contract section 3, e.g. "filesystem.read", "resource.bytes"
  message @1 :Text;     # plain words; names the option that would change it
  target @2 :Text;      # what the guest asked for, as it asked; absent (null) when there is none
}

struct Failed {
  # A failure after authorization.
  message @0 :Text;
  kind @1 :Kind;

  enum Kind {
    error @0;
    typeError @1;  # the arguments are not what a tool takes
    toolError @2;  # a tool says that it failed: an Error with that name
  }
}

struct Header {
  name @0 :Text;
  value @1 :Text;
}

struct HttpResponse {
  status @0 :UInt16;
  headers @1 :List(Header);  # names in lower case, repeated ones joined with ", "
  body @2 :Text;             # decoded as TextDecoder does by default
}

struct ProcessExit {
  code @0 :Int32;     # exit status, or -1 when a signal ended the command
  signal @1 :Int32;   # signal number, or 0 when the command exited
  stdout @2 :Text;
  stderr @3 :Text;
}

# ---------------------------------------------------------------------------- child to host

struct ChildFrame {
  union {
    request @0 :Request;
    console @1 :ConsoleText;
    result @2 :Data;       # tagged JSON text of what the default export returned; last frame
    failure @3 :Failure;   # last frame
  }
}

struct Request {
  # One capability call. The host assigns the identity: nothing here says who asks.
  # Attacks: repeated or decreasing ids (the host requires strictly increasing ones, from 1),
  # floods (the host stops reading: see `openRequests`), sizes (the frame cap).
  id @0 :UInt64;
  union {
    environment @1 :Text;
    secret @2 :Text;
    readText @3 :Text;
    writeText @4 :FileWrite;
    fetchText @5 :HttpRequest;
    spawn @6 :Command;
    tool @7 :ToolUse;
  }
}

struct ToolUse {
  # Attacks: names of tools that the host did not list; text that is not JSON, deeper than the
  # codec allows, with malformed tags, or not what the tool takes. The host judges all of it before
  # a tool sees anything.
  specifier @0 :Text;
  name @1 :Text;
  arguments :union {
    json @2 :Data;      # tagged JSON text of one value
    tooLarge @3 :Void;  # it would be longer than `argumentBytes`, so more than the host allows
  }
}

struct FileWrite {
  path @0 :Text;
  text @1 :Text;  # well-formed UTF-8 from an honest child (as TextEncoder writes it)
}

struct HttpRequest {
  url @0 :Text;              # unparsed, as the guest gave it
  method @1 :Text;           # null: GET
  headers @2 :List(Header);
  body @3 :Text;             # null: no body
}

struct Command {
  executable @0 :Text;
  arguments @1 :List(Text);
}

struct ConsoleText {
  # One console call, already formatted, without a trailing newline.
  level @0 :Level;
  text @1 :Text;
  truncated @2 :Bool;  # the limit was reached within or before this text; nothing follows

  enum Level {
    log @0;
    info @1;
    warn @2;
    error @3;
    debug @4;
  }
}

struct Failure {
  # Why there is no result. Only a claim: the host takes from it no more than the words, and a
  # denial only if it finds `deniedBy` in its own record.
  kind @0 :Kind;
  name @1 :Text;
  message @2 :Text;
  stack @3 :Text;     # SpiderMonkey's "function@file:line:column" lines, positions in the JavaScript
  deniedBy @4 :UInt64;  # id of the request whose refusal this very error object is; 0: none
  line @5 :UInt32;    # syntax: 1-based position in the JavaScript, 0 when unknown
  column @6 :UInt32;  # syntax: 1-based column in UTF-16 code units
  inTests @7 :Bool;   # the program had completed: this happened while `tests` ran

  enum Kind {
    threw @0;           # the guest's code threw, rejected, or imported what it may not
    syntax @1;          # the engine refused the JavaScript, or it imports a name that does not exist
    stuck @2;           # script entry: the top level awaits something that can never come
    badResult @3;       # the result holds something that cannot cross (the message has its path)
    resultTooLarge @4;  # over `resultBytes`
    outOfMemory @5;     # over `heapBytes`, or the engine could not get memory
  }
}

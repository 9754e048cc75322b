#pragma once
// The end of an audit log's file, which decides how it goes on.

#include <cstddef>
#include <string>

#include <cordon/audit_event.h>

#include "audit/chain.h"
#include "messages/result.h"

namespace cordon {

struct LogTail {
  ChainHead head;              // of the newest complete line; that of an empty log if there is none
  bool empty = true;           // no complete line
  bool ended = false;          // the newest line is a `rotate` record
  std::size_t torn_bytes = 0;  // after it
};

// Of the `size` bytes of `file`, of which it reads no more than two lines can take. Or why it is
// not an audit log: its last line must be an event with the hash that it states.
Result<LogTail, std::string> read_log_tail(int file, std::size_t size);

}  // namespace cordon

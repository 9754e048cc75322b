#pragma once
// writeText(): replaces or creates one regular file beneath a write root, atomically.

#include <cstdint>
#include <string_view>

#include "capabilities/authority.h"
#include "capabilities/operation.h"

namespace cordon {

// The new text goes into a new file, which is flushed to the disk and then renamed into place: a
// crash, even of the machine, leaves the old text or the new one, and a file that merely shares the
// old one's inode never changes. Permission bits of an existing file are kept, as are owner and
// group where the host may set them; set-id bits are not. A new file gets 0644 less the umask.
//
// `text` counts as UTF-8 against resources.maxWriteBytes; ill-formed bytes are replaced by U+FFFD
// first. Returns the bytes written. On any error nothing has changed. Blocks; thread-safe.
OperationResult<std::uint64_t> write_text(const Authority& authority, std::string_view path,
                                          std::string_view text);

}  // namespace cordon

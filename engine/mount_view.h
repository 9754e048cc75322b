#pragma once
// The file system as a locked-down process sees it: one empty, read-only directory.

#include "engine/start_failure.h"

namespace cordon::engine {

// For every process of the calling mount namespace, which must not be the host's. Nothing can be
// opened by path afterwards, procfs included.
Started empty_the_mount_view();

}  // namespace cordon::engine

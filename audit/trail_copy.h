#pragma once
// Brings a sink that is behind up to the end of a trail.

#include <filesystem>
#include <optional>
#include <string>

#include "audit/sink.h"

namespace cordon {

// Appends to `sink` what the trail at `path` holds after the sink's head, each event checked. What
// is wrong otherwise: the trail must go through that head.
std::optional<std::string> copy_missing(const std::filesystem::path& path, AuditSink& sink);

}  // namespace cordon

#pragma once
// Positions of generated JavaScript mapped back to the TypeScript they came from. The map's bytes
// were shaped by hostile source: only line and column are used, everything is bounded.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace cordon {

struct SourcePosition {
  std::uint32_t line = 0;    // 1-based
  std::uint32_t column = 0;  // 1-based, UTF-16 code units
};

// Immutable, thread-safe.
class SourceMap {
  struct Private {
    explicit Private() = default;
  };

 public:
  // `json` is a version 3 source map with one source. Null when it is malformed.
  static std::shared_ptr<const SourceMap> parse(std::string_view json);

  // The last mapping at or before the position on its line, if there is one.
  std::optional<SourcePosition> original(SourcePosition generated) const;

  explicit SourceMap(Private) {}

 private:
  // Positions are 0-based here. Columns do not decrease within a line.
  struct Segment {
    std::uint32_t generated_column;
    std::uint32_t line;  // kUnmapped: this code comes from no place in the source
    std::uint32_t column;
  };
  static constexpr std::uint32_t kUnmapped = UINT32_MAX;

  // False when the text is malformed or too large.
  bool read_mappings(std::string_view text);

  std::vector<std::uint32_t> line_starts_;  // index into segments_, one per generated line
  std::vector<Segment> segments_;
};

}  // namespace cordon

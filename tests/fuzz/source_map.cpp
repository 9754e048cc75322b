// A source map and a stack, both hostile: positions stay in range, the stack stays bounded and can
// neither break out of its lines nor hide text.

#include <limits>

#include "actors/compile/source_map.h"
#include "actors/compile/stack_trace.h"
#include "audit/visible_text.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::as_text(data, size);
  // The map ends where the first NUL is; behind it is the stack.
  const std::size_t end = std::min(input.find('\0'), input.size());
  const auto map = SourceMap::parse(input.substr(0, end));
  if (map) {
    constexpr auto kMax = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t line : {0U, 1U, 2U, 3U, 100U, kMax}) {
      for (const std::uint32_t column : {0U, 1U, 2U, 10U, kMax}) {
        const auto position = map->original({line, column});
        fuzz::require(!position || (position->line > 0 && position->column > 0),
                      "a position outside of every source");
      }
    }
  }
  const std::string_view raw = input.substr(std::min(end + 1, input.size()));
  const std::string text =
      render_stack("Error", "message", raw,
                   {.main = "main.ts", .map = map.get(), .is_module = [](std::string_view file) {
                      return file == "module";
                    }});
  fuzz::require(text.size() < 64 * 1024, "a stack without bound");
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t line_end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, line_end);
    fuzz::require(visible_text(line, 16 * 1024) == line, "a line that deceives");
    rest.remove_prefix(std::min(line_end + 1, rest.size()));
  }
  return 0;
}

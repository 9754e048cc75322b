#include "capabilities/audit_target.h"

#include "capabilities/origin.h"
#include "capabilities/utf8.h"

namespace cordon {

std::string named_target(std::string_view requested) { return to_well_formed_utf8(requested); }

std::optional<std::string> network_target(std::string_view url) {
  const auto parsed = parse_http_url(url);
  if (parsed) return parsed->origin.text();
  if (parsed.error().origin) return parsed.error().origin->text();
  return std::nullopt;
}

}  // namespace cordon

#pragma once
// Cordon in one process, as the runner asks for it.

#include <cordon/sandbox.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

class Host {
 public:
  // `setup`: {"resolver": rules or null}. Throws Unavailable.
  explicit Host(const Json& setup);

  // {"expression", "arguments"}: the text that a JavaScript expression gives, in a sandbox without
  // any grant. → {"ok": true, "text"} or {"ok": false, "message"}
  Json evaluate(const Json& job);
  // {"source", "arguments", "options", "steps"}, the second and third as JSON text. → what the call
  // came to ("ok", "result" as text or "name", "message", …), "constructor" when there was no
  // sandbox, and measurements. Forgets the audit events of before.
  Json run(const Json& job);
  // {"events": [line, …], "lookups": names that were resolved}
  Json events() const;

 private:
  RuntimeOptions runtime_options(const Json& setup);
  std::vector<std::string> resolve(const Json& rules, const std::string& name);

  mutable std::mutex mutex_;
  std::vector<std::string> events_;
  std::vector<std::string> lookups_;
  Runtime runtime_;
  std::optional<AISandbox> sandbox_;  // of the last run: as long as a host would keep it
};

}  // namespace cordon::cases

#pragma once
// Functions of the host that a guest may call: modules of tools, next to the capability module.
//
//   cordon::Tool search{
//       .name = "search",
//       .description = "Finds documents. Best ones first.",
//       .parameters = R"({"type": "object", "required": ["query"],
//                         "properties": {"query": {"type": "string", "minLength": 1}}})",
//       .handler = cordon::answer_with([](const cordon::ToolCall& call) -> nlohmann::json {
//         return find(call.arguments()["query"]);
//       })};
//   options.tools = {{.specifier = "app/documents", .tools = {search}}};
//
// In the guest: `import { search } from 'app/documents'; await search({ query: 'tea' })`. Every
// call is counted, limited and audited like the six capability functions; a handler sees only
// arguments that its schema accepts. What is granted is the whole function: a handler must treat
// its arguments as chosen by an attacker. docs/tools.md has the rules and the schema keywords.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace cordon {

// One call of one tool. Copies are the same call. Thread-safe.
//
// It is answered once: whatever comes first counts, what comes later goes nowhere, even after the
// sandbox and its runtime are gone. A call whose last copy is dropped without an answer fails.
class ToolCall {
 public:
  class State;
  explicit ToolCall(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}

  // A JSON object that the tool's schema accepts.
  const nlohmann::json& arguments() const noexcept;
  const std::string& specifier() const noexcept;
  const std::string& tool() const noexcept;
  // The id of the sandbox that asks, as in its audit events.
  const std::string& sandbox() const noexcept;

  // Whether the sandbox's call is over: nobody waits for the answer any more.
  bool cancelled() const noexcept;
  // `callback` is called once when that happens, at once if it has happened, never after an answer.
  // On a Cordon thread: it must be quick.
  void on_cancel(std::function<void()> callback) const;

  // Plain JSON, at most resources.maxToolBytes as text, nested at most 1,000 deep.
  void reply(nlohmann::json result) const;
  // Becomes an Error named "ToolError" in the guest, with this message. The audit has no word of
  // it.
  void fail(std::string message) const;

 private:
  std::shared_ptr<State> state_;
};

// Called on one of RuntimeOptions::tool_threads. It may answer before it returns, or keep the call
// and answer later from any thread. An exception that it throws fails the call: the guest sees a
// std::exception's what().
using ToolHandler = std::function<void(ToolCall call)>;

// The handler of a function that may block: what it returns is the answer.
ToolHandler answer_with(std::function<nlohmann::json(const ToolCall& call)> function);

struct Tool {
  std::string name;              // an ASCII identifier of at most 64 characters, no reserved word
  std::string description = {};  // for the model; becomes a doc comment
  // JSON Schema of the one argument, an object. Default: no properties.
  std::string parameters = R"({"type": "object", "properties": {}, "additionalProperties": false})";
  // JSON Schema of the result. Results are checked against it. None: anything.
  std::optional<std::string> result = {};
  ToolHandler handler = {};
};

struct ToolModule {
  std::string specifier;         // letters, digits and @ . _ / : -, e.g. "app/documents"
  std::string description = {};  // for the model
  std::vector<Tool> tools = {};
};

// TypeScript declarations of `modules`, with doc comments, to put into a model's prompt beside the
// text of `cordon types`. Handlers are not needed. Throws InvalidOption as a sandbox would.
std::string tool_declarations(const std::vector<ToolModule>& modules);

}  // namespace cordon

// A service around a model: the program that the model wrote composes three functions of the
// service, in one go, and every use of them is told as it happens.

#include <cordon/sandbox.h>

#include <iostream>
#include <string>

using cordon::answer_with;
using cordon::ToolCall;
using nlohmann::json;

namespace {

json search(const ToolCall& call) {
  const json documents = {{{"id", "tea-1"}, {"title", "Green tea"}},
                          {{"id", "tea-2"}, {"title", "Black tea"}},
                          {{"id", "pot-1"}, {"title", "Tea pot"}}};
  json found = json::array();
  for (const json& document : documents) {
    const auto title = document["title"].get<std::string>();
    if (title.find(call.arguments()["word"].get<std::string>()) != title.npos) found += document;
  }
  return found;
}

json price(const ToolCall& call) {
  const auto id = call.arguments()["id"].get<std::string>();
  if (id == "tea-1") return 4.5;
  if (id == "tea-2") return 3.25;
  throw std::runtime_error("no price for " + id);  // a ToolError in the program
}

json send_note(const ToolCall& call) {
  std::cout << "note: " << call.arguments()["text"].get<std::string>() << "\n";
  return nullptr;
}

const cordon::ToolModule kShop{
    .specifier = "shop",
    .description = "The tea shop's catalogue.",
    .tools = {
        {.name = "search",
         .description = "Finds products whose title has this word in it.",
         .parameters = R"({"type": "object", "required": ["word"], "additionalProperties": false,
                           "properties": {"word": {"type": "string", "minLength": 2}}})",
         .result = R"({"type": "array", "items": {"type": "object", "required": ["id", "title"],
                       "properties": {"id": {"type": "string"}, "title": {"type": "string"}}}})",
         .handler = answer_with(search)},
        {.name = "price",
         .description = "A product's price in euros. Fails for products that are not for sale.",
         .parameters = R"({"type": "object", "required": ["id"], "additionalProperties": false,
                           "properties": {"id": {"type": "string"}}})",
         .result = R"({"type": "number"})",
         .handler = answer_with(price)},
        {.name = "sendNote",
         .description = "Sends the customer a note.",
         .parameters = R"({"type": "object", "required": ["text"], "additionalProperties": false,
                           "properties": {"text": {"type": "string", "maxLength": 500}}})",
         .result = R"({"type": "null"})",
         .handler = answer_with(send_note)},
    }};

// What a model wrote, having read tool_declarations({kShop}).
const std::string kProgram = R"(
  import { price, search, sendNote } from 'shop';

  export default async function (word: string): Promise<number> {
    const found = await search({ word });
    const offers = await Promise.allSettled(found.map(async ({ id, title }) => ({ title, euros: await price({ id }) })));
    const best = offers.flatMap((o) => (o.status === 'fulfilled' ? [o.value] : [])).sort((a, b) => a.euros - b.euros)[0];
    await sendNote({ text: `${best.title} is the cheapest of ${found.length}: ${best.euros} euros` });
    return best.euros;
  }
)";

}  // namespace

int main() try {
  cordon::RuntimeOptions service;
  service.on_audit = [](const cordon::SandboxAuditEvent& event) {
    std::cout << "audit: " << event.capability << " " << event.target.value_or("-") << "\n";
  };
  cordon::Runtime runtime(service);
  std::cout << cordon::tool_declarations({kShop});

  cordon::AISandboxOptions options;
  options.tools = {kShop};
  options.resources.max_operations = 20;
  cordon::AISandbox sandbox(runtime, kProgram, options);
  const cordon::Outcome outcome = sandbox.call(cordon::Value::from(json::array({"tea"})));
  std::cout << "result: " << outcome.value().json() << "\n";  // 3.25
} catch (const cordon::Unavailable& error) {
  std::cerr << "this host cannot enforce the sandbox: " << error.what() << "\n";
  return 3;
}

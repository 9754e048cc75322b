// What a child that is no longer ours may send: the host judges it again, and no handler sees it.

#include <catch2/catch.hpp>

#include <future>
#include <variant>

#include "actors/process/blocking_threads.h"
#include "actors/tool_service.h"

using namespace cordon;
using Catch::Matchers::Contains;

namespace {

struct Host {
  std::shared_ptr<const OperationContext> context;
  std::shared_ptr<std::atomic<int>> handled = std::make_shared<std::atomic<int>>(0);
  BlockingThreads threads{1};
  ToolService service{threads};

  Host() {
    AISandboxOptions options;
    options.secrets["KEY"] = "k-5ecret-9911";
    options.resources.max_tool_bytes = 64;
    options.tools = {{.specifier = "app",
                      .tools = {{.name = "f",
                                 .parameters = R"({"type":"object","required":["q"],
                                   "properties":{"q":{"type":"string"}}})",
                                 .handler = [handled = handled](const ToolCall& call) {
                                   ++*handled;
                                   call.reply(call.arguments());
                                 }}}}};
    context = std::make_shared<const OperationContext>(
        OperationContext{"call-1", Authority::validate(options), Redactor({"k-5ecret-9911"})});
  }
};

ChildFrameMessage request(const std::string& specifier, const std::string& name,
                          const std::optional<std::string>& json) {
  return ChildFrameMessage::build([&](wire::ChildFrame::Builder frame) {
    auto request = frame.initRequest();
    request.setId(7);
    auto use = request.initTool();
    use.setSpecifier(specifier.c_str());
    use.setName(name.c_str());
    if (json) {
      use.getArguments().setJson(
          kj::arrayPtr(reinterpret_cast<const kj::byte*>(json->data()), json->size()));
    } else {
      use.getArguments().setTooLarge();
    }
  });
}

// "unreadable", or how reply and event go: "denied tool app#g not granted …".
std::string performed(Host& host, const ChildFrameMessage& frame) {
  std::promise<std::optional<OperationResult<std::string>>> promise;
  std::atomic<bool> told{false};
  auto session = host.service.open_session(host.context);
  session->start(
      frame,
      [&](OperationResult<std::string> result) {
        if (!told.exchange(true)) promise.set_value(std::move(result));
      },
      [&] {
        if (!told.exchange(true)) promise.set_value(std::nullopt);
      });
  const auto result = promise.get_future().get();
  session.reset();
  if (!result) return "unreadable";
  const auto view = frame.read();
  const Performed done = finish_tool(*host.context, view->getRequest(), *result, {});
  const auto record = done.record.read();
  const auto reply = done.reply.read();
  CHECK(reply->getReply().getId() == 7);
  std::string text = record->getOutcome() == wire::AuditOutcome::USED     ? "used"
                     : record->getOutcome() == wire::AuditOutcome::DENIED ? "denied"
                                                                          : "error";
  text += std::string(" ") + record->getCapability().cStr() + " " + record->getTarget().cStr() +
          " [" + record->getReason().cStr() + "] ";
  if (reply->getReply().isDenied()) text += reply->getReply().getDenied().getMessage().cStr();
  if (reply->getReply().isFailed()) text += reply->getReply().getFailed().getMessage().cStr();
  if (reply->getReply().isValue()) {
    const auto chars = reply->getReply().getValue().asChars();
    text += std::string(chars.begin(), chars.end());
  }
  return text;
}

}  // namespace

TEST_CASE("a request as an honest child sends it reaches the handler") {
  Host host;
  CHECK(performed(host, request("app", "f", R"({"q":"x"})")) == R"(used tool app#f [] {"q":"x"})");
  CHECK(*host.handled == 1);
}

TEST_CASE("a tool that was not registered is denied, by either name") {
  Host host;
  CHECK(performed(host, request("app", "g", "{}")) ==
        "denied tool app#g [name is not in tools] Tool app#g is not granted: add it to "
        "AISandboxOptions::tools");
  CHECK_THAT(performed(host, request("fino:ai", "f", "{}")), Contains("not granted"));
  CHECK_THAT(performed(host, request("", "", "{}")), Contains("not granted"));
  CHECK(*host.handled == 0);
}

TEST_CASE("arguments that no honest child sends are a breach of the protocol") {
  Host host;
  for (const char* json : {"", "{", "{} {}", "\xFF", "nul"}) {
    INFO(json);
    CHECK(performed(host, request("app", "f", json)) == "unreadable");
  }
  CHECK(*host.handled == 0);
}

TEST_CASE("arguments that the schema refuses do not reach the handler") {
  Host host;
  for (const char* json : {"[]", "{}", R"({"q":1})", R"({"q":{"$object":[["a",1]]}})",
                           R"({"q":{"$date":[[[]]]}})", "1e999", R"({"$map":[[1]]})"}) {
    INFO(json);
    CHECK_THAT(performed(host, request("app", "f", json)),
               Contains("error tool app#f [arguments are not what the tool takes] f: argument "));
  }
  CHECK(*host.handled == 0);
}

TEST_CASE("arguments over the limit are refused before they are read") {
  Host host;
  const std::string refusal =
      "denied resource.bytes app#f [exceeds 64 bytes] Tool arguments of "
      "app#f exceeds 64 bytes (resources.maxToolBytes)";
  CHECK(performed(host, request("app", "f", std::string(65, '{'))) == refusal);
  CHECK(performed(host, request("app", "f", std::nullopt)) == refusal);
  CHECK(*host.handled == 0);
}

TEST_CASE("secrets are redacted in the target and never in a reason") {
  Host host;
  const std::string text = performed(host, request("k-5ecret-9911", "f", "{}"));
  CHECK_THAT(text.substr(0, text.find(']')), !Contains("5ecret"));
  CHECK_THAT(performed(host, request("app", "f", R"({"q":["k-5ecret-9911"]})")),
             !Contains("5ecret"));
}

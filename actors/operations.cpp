#include "actors/operations.h"

#include <chrono>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "actors/subprocess_report.h"
#include "actors/wire_text.h"
#include "capabilities/audit_target.h"
#include "capabilities/environment.h"
#include "capabilities/network_policy.h"
#include "capabilities/read_text.h"
#include "capabilities/shortage.h"
#include "capabilities/subprocess_policy.h"
#include "capabilities/tools/tool_use.h"
#include "capabilities/utf8.h"
#include "capabilities/write_text.h"

namespace cordon {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kOperationBudget = "resource.operations";

// How a function is called in code, in the audit and in messages.
struct FunctionWords {
  const char* name;
  const char* capability;  // whose use an event is about when nothing else is said
  const char* asked_for;   // in plain words, for refusals that have nothing to do with the target
};

FunctionWords words_of(wire::Function function) {
  switch (function) {
    case wire::Function::ENVIRONMENT:
      return {"environment", "environment", "Environment variable"};
    case wire::Function::SECRET:
      return {"secret", "secret", "Secret"};
    case wire::Function::READ_TEXT:
      return {"readText", "filesystem.read", "Filesystem read"};
    case wire::Function::WRITE_TEXT:
      return {"writeText", "filesystem.write", "Filesystem write"};
    case wire::Function::FETCH_TEXT:
      return {"fetchText", "network", "Network request"};
    case wire::Function::SPAWN:
      return {"spawn", "subprocess", "Subprocess"};
    case wire::Function::TOOL:
      return {"tool", "tool", "Tool"};
  }
  return {"unknown", "unknown", "Operation"};
}

std::optional<std::string> target_of(wire::Request::Reader request) {
  switch (request.which()) {
    case wire::Request::ENVIRONMENT:
      return named_target(as_view(request.getEnvironment()));
    case wire::Request::SECRET:
      return named_target(as_view(request.getSecret()));
    case wire::Request::READ_TEXT:
      return named_target(as_view(request.getReadText()));
    case wire::Request::WRITE_TEXT:
      return named_target(as_view(request.getWriteText().getPath()));
    case wire::Request::FETCH_TEXT:
      return network_target(as_view(request.getFetchText().getUrl()));
    case wire::Request::SPAWN:
      return named_target(as_view(request.getSpawn().getExecutable()));
    case wire::Request::TOOL:
      return tool_target(as_view(request.getTool().getSpecifier()),
                         as_view(request.getTool().getName()));
  }
  return std::nullopt;
}

// What an operation came to, before it is written down for guest and audit.
struct Done {
  std::optional<std::string> text = {};       // the reply's text; none for writeText
  const FetchedResponse* response = nullptr;  // fetchText: head of the reply whose body is `text`
  const CommandOutput* command = nullptr;     // spawn
  const std::string* value = nullptr;         // tool: tagged JSON text
  std::optional<std::uint64_t> bytes = {};
  std::string note = {};  // for the audit
};
using End = Result<Done, OperationError>;

Done text_done(std::string text) {
  const auto bytes = text.size();
  return {.text = std::move(text), .bytes = bytes};
}

End from_text(OperationResult<std::string> result, bool count_bytes) {
  if (!result) return result.error();
  Done done = text_done(std::move(*result));
  if (!count_bytes) done.bytes.reset();
  return done;
}

End read(const Authority& authority, capnp::Text::Reader path) {
  auto result = read_text(authority, as_view(path));
  if (!result) return result.error();
  return Done{.text = std::move(result->text), .bytes = result->bytes};
}

End write(const Authority& authority, wire::FileWrite::Reader request) {
  const auto result = write_text(authority, as_view(request.getPath()), as_view(request.getText()));
  if (!result) return result.error();
  return Done{.bytes = *result};
}

End perform(const Authority& authority, wire::Request::Reader request) {
  switch (request.which()) {
    case wire::Request::ENVIRONMENT:
      return from_text(environment(authority, as_view(request.getEnvironment())), false);
    case wire::Request::SECRET:
      return from_text(secret(authority, as_view(request.getSecret())), false);
    case wire::Request::READ_TEXT:
      return read(authority, request.getReadText());
    case wire::Request::WRITE_TEXT:
      return write(authority, request.getWriteText());
    case wire::Request::FETCH_TEXT:
    case wire::Request::SPAWN:
    case wire::Request::TOOL:
      break;  // in several steps, below
  }
  return OperationError(OperationFailure{"Unknown operation", "unknown operation"});
}

void write_response(wire::HttpResponse::Builder out, const FetchedResponse& response,
                    const std::string& body) {
  out.setStatus(static_cast<std::uint16_t>(response.status));
  auto headers = out.initHeaders(static_cast<unsigned>(response.headers.size()));
  unsigned i = 0;
  for (const auto& header : response.headers) {
    headers[i].setName(as_kj(header.name));
    headers[i].setValue(as_kj(header.value));
    ++i;
  }
  out.setBody(as_kj(body));
}

void write_exit(wire::ProcessExit::Builder out, const CommandOutput& command) {
  out.setCode(command.code);
  out.setSignal(command.signal);
  out.setStdout(as_kj(decode_text(command.out)));
  out.setStderr(as_kj(decode_text(command.err)));
}

wire::Failed::Kind kind_of(const OperationFailure& failure) {
  switch (failure.kind) {
    case OperationFailure::Kind::kError:
      break;
    case OperationFailure::Kind::kTypeError:
      return wire::Failed::Kind::TYPE_ERROR;
    case OperationFailure::Kind::kToolError:
      return wire::Failed::Kind::TOOL_ERROR;
  }
  return wire::Failed::Kind::ERROR;
}

// About what a reply takes: large ones are built where they are wanted.
std::size_t reply_bytes(const End& end) {
  if (!end) return 0;
  if (end->value != nullptr) return end->value->size();
  if (end->command != nullptr) return end->command->out.size() + end->command->err.size();
  return end->text ? end->text->size() : 0;
}

HostFrameMessage reply(wire::Request::Reader request, const std::optional<std::string>& target,
                       const End& end) {
  const auto fill = [&](wire::HostFrame::Builder frame) {
    auto out = frame.initReply();
    out.setId(request.getId());
    if (end) {
      if (end->value != nullptr) {
        const auto* const bytes = reinterpret_cast<const kj::byte*>(end->value->data());
        out.setValue(kj::arrayPtr(bytes, end->value->size()));
      } else if (end->command != nullptr) {
        write_exit(out.initExit(), *end->command);
      } else if (end->response != nullptr) {
        write_response(out.initResponse(), *end->response, *end->text);
      } else if (end->text) {
        out.setText(as_kj(*end->text));
      } else {
        out.setDone();
      }
      return;
    }
    const OperationError error = end.error();
    if (const auto* const refusal = std::get_if<Refusal>(&error)) {
      auto denied = out.initDenied();
      denied.setCapability(as_kj(refusal->capability));
      denied.setMessage(as_kj(refusal->message));
      if (target) denied.setTarget(as_kj(*target));
    } else {
      const auto& failure = std::get<OperationFailure>(error);
      auto failed = out.initFailed();
      failed.setMessage(as_kj(failure.message));
      failed.setKind(kind_of(failure));
    }
  };
  return HostFrameMessage::build(fill, reply_bytes(end));
}

AuditRecordMessage record(const OperationContext& context, wire::Function function,
                          const std::optional<std::string>& target, const End& end,
                          Clock::duration took) {
  const FunctionWords words = words_of(function);
  return AuditRecordMessage::build([&](wire::AuditRecord::Builder out) {
    out.setSandbox(as_kj(context.sandbox));
    out.setCapability(words.capability);
    if (target) out.setTarget(as_kj(context.redactor.text(*target)));
    out.setDurationUs(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
    out.setBytes(-1);
    out.setCount(-1);
    if (end) {
      out.setOutcome(wire::AuditOutcome::USED);
      if (end->bytes) out.setBytes(static_cast<std::int64_t>(*end->bytes));
      if (!end->note.empty()) out.setReason(as_kj(end->note));
      return;
    }
    const OperationError error = end.error();
    if (const auto* const refusal = std::get_if<Refusal>(&error)) {
      out.setOutcome(wire::AuditOutcome::DENIED);
      out.setReason(as_kj(refusal->reason));
      if (refusal->capability != words.capability) {
        out.setCapability(as_kj(refusal->capability));
        out.setOperation(words.name);
      }
    } else {
      out.setOutcome(wire::AuditOutcome::ERROR);
      out.setReason(as_kj(std::get<OperationFailure>(error).reason));
    }
  });
}

Performed conclude(const OperationContext& context, wire::Request::Reader request, const End& end,
                   Clock::duration took) {
  const auto target = target_of(request);
  return {reply(request, target, end),
          record(context, function_of(request).value(), target, end, took)};
}

// What `work` gives. It may copy as much as a guest asks for: what the host has no memory for is
// an operation that failed, after `took` and what `work` has taken.
template <class Work>
Performed or_out_of_memory(const OperationContext& context, wire::Request::Reader request,
                           Clock::duration took, Work work) {
  const auto started = Clock::now();
  try {
    Performed performed = work();
    if (performed.reply.bytes().size() > kMuchBytes) leave_room();
    return performed;
  } catch (const std::bad_alloc&) {
    return fail_for_memory(context, request, took + (Clock::now() - started));
  }
}

}  // namespace

std::optional<wire::Function> function_of(wire::Request::Reader request) {
  switch (request.which()) {
    case wire::Request::ENVIRONMENT:
      return wire::Function::ENVIRONMENT;
    case wire::Request::SECRET:
      return wire::Function::SECRET;
    case wire::Request::READ_TEXT:
      return wire::Function::READ_TEXT;
    case wire::Request::WRITE_TEXT:
      return wire::Function::WRITE_TEXT;
    case wire::Request::FETCH_TEXT:
      return wire::Function::FETCH_TEXT;
    case wire::Request::SPAWN:
      return wire::Function::SPAWN;
    case wire::Request::TOOL:
      return wire::Function::TOOL;
  }
  return std::nullopt;
}

bool may_block(wire::Function function) {
  return function == wire::Function::READ_TEXT || function == wire::Function::WRITE_TEXT;
}

Performed perform_operation(const OperationContext& context, wire::Request::Reader request) {
  return or_out_of_memory(context, request, {}, [&] {
    const auto started = Clock::now();
    const End end = perform(context.authority, request);
    return conclude(context, request, end, Clock::now() - started);
  });
}

std::variant<DecidedFetch, Performed> decide_fetch(const OperationContext& context,
                                                   wire::Request::Reader request) {
  const auto fetch = request.getFetchText();
  std::vector<HttpHeader> headers;
  for (const auto each : fetch.getHeaders()) {
    headers.push_back(
        {std::string(as_view(each.getName())), std::string(as_view(each.getValue()))});
  }
  std::optional<std::string_view> method;
  if (fetch.hasMethod()) method = as_view(fetch.getMethod());
  std::optional<std::string> body;
  if (fetch.hasBody()) body = to_well_formed_utf8(as_view(fetch.getBody()));
  const auto body_bytes = body ? std::optional<std::uint64_t>(body->size()) : std::nullopt;
  auto checked =
      decide_network(context.authority, as_view(fetch.getUrl()), method, headers, body_bytes);
  if (!checked) return conclude(context, request, OperationError(checked.error()), {});
  return DecidedFetch{std::move(*checked), std::move(body),
                      context.authority.resources().max_network_bytes};
}

Performed finish_fetch(const OperationContext& context, wire::Request::Reader request,
                       const OperationResult<FetchedResponse>& result, Clock::duration took) {
  if (!result) return conclude(context, request, result.error(), took);
  return or_out_of_memory(context, request, took, [&] {
    const Done done{
        .text = result->text(), .response = &*result, .bytes = result->body_bytes.size()};
    return conclude(context, request, done, took);
  });
}

std::variant<CheckedCommand, Performed> decide_spawn(const OperationContext& context,
                                                     wire::Request::Reader request) {
  const auto spawn = request.getSpawn();
  std::vector<std::string> arguments;
  for (const auto each : spawn.getArguments()) arguments.emplace_back(as_view(each));
  auto checked = decide_subprocess(context.authority, as_view(spawn.getExecutable()), arguments);
  if (!checked) return conclude(context, request, OperationError(checked.error()), {});
  return std::move(*checked);
}

Performed finish_spawn(const OperationContext& context, wire::Request::Reader request,
                       const SpawnedCommand& spawned, Clock::duration took) {
  if (!spawned.result) return conclude(context, request, spawned.result.error(), took);
  Done done{.command = &*spawned.result,
            .bytes = spawned.result->out.size() + spawned.result->err.size()};
  if (spawned.report) done.note = summary(*spawned.report);
  return or_out_of_memory(context, request, took,
                          [&] { return conclude(context, request, done, took); });
}

Performed finish_tool(const OperationContext& context, wire::Request::Reader request,
                      const OperationResult<std::string>& result, Clock::duration took) {
  if (!result) return conclude(context, request, result.error(), took);
  return or_out_of_memory(context, request, took, [&] {
    return conclude(context, request, Done{.value = &*result, .bytes = result->size()}, took);
  });
}

Performed refuse_for_budget(const OperationContext& context, wire::Request::Reader request,
                            wire::Lease::Reader lease) {
  const std::string asked_for = words_of(function_of(request).value()).asked_for;
  const std::string limit = std::to_string(lease.getLimit());
  Refusal refusal{std::string(kOperationBudget),
                  asked_for + " refused: the operation budget of " + limit +
                      " is used up (resources.maxOperations)",
                  "operation budget of " + limit + " used up"};
  if (lease.hasReason()) {
    refusal.message = asked_for + " refused by the operation budget that calls share: " +
                      as_string(lease.getReason());
    refusal.reason = "operation budget that calls share: " + as_string(lease.getReason());
  }
  return conclude(context, request, OperationError(std::move(refusal)), {});
}

Performed cancel_operation(const OperationContext& context, wire::Request::Reader request) {
  const End cancelled = OperationError(
      OperationFailure{std::string(words_of(function_of(request).value()).asked_for) +
                           " cancelled: the call is over",
                       "cancelled: the call was over"});
  return conclude(context, request, cancelled, {});
}

Performed fail_for_memory(const OperationContext& context, wire::Request::Reader request,
                          Clock::duration took) {
  const FunctionWords words = words_of(function_of(request).value());
  return conclude(context, request, OperationError(out_of_memory(words.asked_for)), took);
}

}  // namespace cordon

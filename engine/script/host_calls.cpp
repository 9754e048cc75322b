#include "engine/script/host_calls.h"

#include <js/MemoryFunctions.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <jsapi.h>

#include <string_view>

#include "engine/script/errors.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/text.h"
#include "engine/script/value_decoder.h"

namespace cordon::engine {

namespace {

constexpr unsigned kStackFrames = 32;
constexpr JS::MemoryUse kWaitingRequest = JS::MemoryUse::Embedding1;

std::string_view view_of(capnp::Text::Reader text) { return {text.cStr(), text.size()}; }

bool define_text(JSContext* cx, JS::HandleObject object, const char* name,
                 capnp::Text::Reader text) {
  JS::RootedString string(cx, new_string(cx, view_of(text)));
  return string && JS_DefineProperty(cx, object, name, string, JSPROP_ENUMERATE);
}

// Defined, never set: a header named "__proto__" is a property like any other.
JSObject* headers_object(JSContext* cx, capnp::List<wire::Header>::Reader headers) {
  JS::RootedObject object(cx, JS_NewPlainObject(cx));
  if (!object) return nullptr;
  JS::RootedString name(cx);
  JS::RootedString value(cx);
  JS::RootedId key(cx);
  for (const auto header : headers) {
    name = new_string(cx, view_of(header.getName()));
    value = new_string(cx, view_of(header.getValue()));
    JS::RootedValue boxed(cx);
    if (!name || !value || !JS_StringToId(cx, name, &key)) return nullptr;
    boxed.setString(value);
    if (!JS_DefinePropertyById(cx, object, key, boxed, JSPROP_ENUMERATE)) return nullptr;
  }
  return object;
}

JSObject* response_object(JSContext* cx, const wire::HttpResponse::Reader& response) {
  JS::RootedObject object(cx, JS_NewPlainObject(cx));
  if (!object) return nullptr;
  JS::RootedObject headers(cx, headers_object(cx, response.getHeaders()));
  const bool filled = headers &&
                      JS_DefineProperty(cx, object, "status", std::int32_t{response.getStatus()},
                                        JSPROP_ENUMERATE) &&
                      JS_DefineProperty(cx, object, "headers", headers, JSPROP_ENUMERATE) &&
                      define_text(cx, object, "body", response.getBody());
  return filled ? object.get() : nullptr;
}

JSObject* exit_object(JSContext* cx, const wire::ProcessExit::Reader& exit) {
  JS::RootedObject object(cx, JS_NewPlainObject(cx));
  if (!object) return nullptr;
  const bool signalled = exit.getSignal() != 0;
  JS::RootedValue code(cx, signalled ? JS::NullValue() : JS::Int32Value(exit.getCode()));
  JS::RootedValue signal(cx, signalled ? JS::Int32Value(exit.getSignal()) : JS::NullValue());
  const bool filled = JS_DefineProperty(cx, object, "code", code, JSPROP_ENUMERATE) &&
                      JS_DefineProperty(cx, object, "signal", signal, JSPROP_ENUMERATE) &&
                      define_text(cx, object, "stdout", exit.getStdout()) &&
                      define_text(cx, object, "stderr", exit.getStderr());
  return filled ? object.get() : nullptr;
}

JSObject* failure_object(JSContext* cx, const wire::Failed::Reader& failed,
                         JS::HandleObject stack) {
  JS::RootedString message(cx, new_string(cx, view_of(failed.getMessage())));
  if (!message) return nullptr;
  const bool type_error = failed.getKind() == wire::Failed::Kind::TYPE_ERROR;
  JS::RootedObject error(
      cx, sm::create_error(cx, type_error ? JSEXN_TYPEERR : JSEXN_ERR, stack, message));
  if (!error || failed.getKind() != wire::Failed::Kind::TOOL_ERROR) return error;
  JS::RootedString name(cx, JS_NewStringCopyZ(cx, "ToolError"));
  return name && JS_DefineProperty(cx, error, "name", name, 0) ? error.get() : nullptr;
}

}  // namespace

JSObject* HostCalls::send_frame(std::uint64_t id, const Payload& frame) {
  if (closed_) {
    throw_error(cx_, JSEXN_ERR, "the call has ended: its capabilities are gone");
    return nullptr;
  }
  JS::RootedObject promise(cx_, JS::NewPromiseObject(cx_, nullptr));
  JS::RootedObject stack(cx_);
  if (!promise || !sm::capture_stack(cx_, kStackFrames, &stack)) return nullptr;
  last_id_ = id;
  const std::size_t bytes = frame.bytes().size();
  const bool sent = last_sent_ + 1 == id && has_turn(bytes);
  if (sent) {
    // When nobody reads any more the event loop finds out; the promise just stays pending.
    channel_.write(frame);
    last_sent_ = id;
  }
  pending_.emplace(
      id, Pending{JS::PersistentRootedObject(cx_, promise), JS::PersistentRootedObject(cx_, stack),
                  bytes, sent ? Payload() : frame});
  if (sent) {
    ++open_;
    open_bytes_ += bytes;
  } else {
    // The collector, and with it the memory limit, is to look as often as this demands.
    JS::AddAssociatedMemory(promise, bytes, kWaitingRequest);
  }
  return promise;
}

bool HostCalls::has_turn(std::size_t bytes) const noexcept {
  return open_ == 0 || (open_ < max_open_ && bytes + open_bytes_ <= max_open_bytes_);
}

void HostCalls::send_waiting() {
  for (; last_sent_ < last_id_; ++last_sent_) {
    const auto next = pending_.find(last_sent_ + 1);
    if (next == pending_.end()) continue;  // memory was short when it was made
    if (!has_turn(next->second.bytes)) return;
    channel_.write(std::exchange(next->second.waiting, {}));
    JS::RemoveAssociatedMemory(next->second.promise, next->second.bytes, kWaitingRequest);
    ++open_;
    open_bytes_ += next->second.bytes;
  }
}

void HostCalls::close() noexcept {
  closed_ = true;
  pending_.clear();
}

bool HostCalls::settle(const wire::Reply::Reader& reply) {
  const auto found = pending_.find(reply.getId());
  if (found == pending_.end()) return true;
  JS::RootedObject promise(cx_, found->second.promise);
  JS::RootedObject stack(cx_, found->second.stack);
  --open_;
  open_bytes_ -= found->second.bytes;
  pending_.erase(found);
  send_waiting();

  JS::RootedObject object(cx_);
  JS::RootedValue value(cx_);
  switch (reply.which()) {
    case wire::Reply::DONE:
      return JS::ResolvePromise(cx_, promise, JS::UndefinedHandleValue);
    case wire::Reply::TEXT: {
      JSString* text = new_string(cx_, view_of(reply.getText()));
      if (text == nullptr) return false;
      value.setString(text);
      return JS::ResolvePromise(cx_, promise, value);
    }
    case wire::Reply::RESPONSE:
      object = response_object(cx_, reply.getResponse());
      break;
    case wire::Reply::EXIT:
      object = exit_object(cx_, reply.getExit());
      break;
    case wire::Reply::DENIED:
      object = denials_.create(reply.getDenied(), reply.getId(), stack);
      break;
    case wire::Reply::FAILED:
      object = failure_object(cx_, reply.getFailed(), stack);
      break;
    case wire::Reply::VALUE: {
      const auto json = reply.getValue().asChars();
      return decode_value(cx_, {json.begin(), json.size()}, "result", &value) &&
             JS::ResolvePromise(cx_, promise, value);
    }
  }
  if (!object) return false;
  value.setObject(*object);
  const bool rejects = reply.isDenied() || reply.isFailed();
  return rejects ? JS::RejectPromise(cx_, promise, value) : JS::ResolvePromise(cx_, promise, value);
}

}  // namespace cordon::engine

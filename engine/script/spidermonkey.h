#pragma once
// The one place that knows which SpiderMonkey this is: mozjs-102. What differs between engine
// versions (start-up, job queue, module hooks, linking, error objects, object internals) is here;
// the rest of the folder uses only the API that has been stable for years.
//
// The engine calls back through `Host`, which it finds by its context: there are no globals.
// Functions that return false, null or nothing leave an exception pending, as is the engine's way;
// when none is pending, guest code was ended for good (see Host::may_continue).

#include <js/CallArgs.h>
#include <js/ErrorReport.h>
#include <js/GCVector.h>
#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "messages/result.h"

namespace cordon::engine::sm {

// What the engine asks of its embedding.
class Host {
 public:
  virtual ~Host() = default;

  virtual bool enqueue_job(JSContext* cx, JS::HandleObject job) = 0;
  virtual void rejection_changed(JSContext* cx, JS::HandleObject promise, bool handled) = 0;

  virtual JSObject* resolve_module(JSContext* cx, JS::HandleString specifier) = 0;
  virtual bool import_dynamically(JSContext* cx, JS::HandleValue referrer, JS::HandleObject request,
                                  JS::HandleString specifier, JS::HandleObject promise) = 0;
  // `label` is the value given to compile_module().
  virtual bool fill_import_meta(JSContext* cx, JS::HandleValue label, JS::HandleObject meta) = 0;

  // A full collection has ended. May only record and call request_interrupt().
  virtual void collected(JSContext* cx) = 0;
  virtual void out_of_memory_reported() = 0;
  // What Date takes for now, in microseconds since the epoch; `system_us` is the system's time.
  virtual double date_now(double system_us) const = 0;
  // False ends all guest code in a way that it cannot catch.
  virtual bool may_continue() const = 0;
};

struct ContextOptions {
  bool jit = true;
  std::size_t native_stack_bytes = 0;
};

// Initialises the library (once per process) and leaves no second thread. The context calls `host`,
// which must outlive it. The error says what failed.
Result<JSContext*, std::string> create_context(const ContextOptions& options, Host& host);

Host& host_of(JSContext* cx);
std::string version();
std::size_t heap_chunk_bytes() noexcept;

// A realm with the standard library, without WebAssembly and SharedArrayBuffer; locale en-US.
JSObject* create_global(JSContext* cx);

// ------------------------------------------------------------------------------------- execution

JSObject* compile_module(JSContext* cx, const std::string& file_name, std::string_view code,
                         JS::HandleValue label);
bool link_module(JSContext* cx, JS::HandleObject module);
// The promise of the module's evaluation.
JSObject* evaluate_module(JSContext* cx, JS::HandleObject module);
// Ends what import_dynamically() began. `evaluation` is null to reject with the pending exception.
bool finish_dynamic_import(JSContext* cx, JS::HandleObject evaluation, JS::HandleValue referrer,
                           JS::HandleObject request, JS::HandleObject promise);
bool evaluate_script(JSContext* cx, const char* file_name, std::string_view code,
                     JS::MutableHandleValue completion);

// Whether `await` may skip the queue: it may while the last job runs.
void job_queue_ran_dry(JSContext* cx);
void job_queue_filled(JSContext* cx);
// The end of a job, in the sense of WeakRef.
void clear_kept_objects(JSContext* cx);

void request_interrupt(JSContext* cx);

// ---------------------------------------------------------------------------------------- memory

std::size_t heap_bytes(JSContext* cx);
// Collects what is garbage, moves what is left together and drops compiled code.
void compact_heap(JSContext* cx);
// Allocation in the collector's heap fails at `total` bytes. `budget` is what the guest may use
// of it: the collector runs often enough not to waste it on garbage.
void set_heap_limit(JSContext* cx, std::size_t total, std::size_t budget);

// --------------------------------------------------------------------------------------- objects

enum class Kind : std::uint8_t {
  kPlain,     // ordinary objects, class instances and `arguments` too
  kArray,     // no proxy
  kProxy,     // not callable; module namespaces too
  kFunction,  // anything callable
  kBoxed,     // Number, String, Boolean or BigInt object
  kDate,
  kMap,
  kSet,
  kError,
  kBytes,  // ArrayBuffer or a view of one
  kOther,  // RegExp, Promise, WeakMap, ...: see class_name()
};
std::optional<Kind> kind_of(JSContext* cx, JS::HandleObject object);

// "Object", "Map", "Date", ...; runs no guest code.
const char* class_name(JSObject* object);
// Of a kBoxed object.
JS::Value unbox(JSObject* boxed);
// Of a kDate object: milliseconds since the epoch, or NaN.
std::optional<double> date_value(JSContext* cx, JS::HandleObject date);
bool is_scripted_proxy(JSObject* object);
// Null when the proxy is revoked.
JSObject* proxy_target(JSObject* proxy);

// Own enumerable string keys, in order. Runs the traps of a proxy.
bool own_keys(JSContext* cx, JS::HandleObject object, JS::MutableHandleIdVector keys);
// Strings and symbols, enumerable or not. No proxies.
std::optional<std::size_t> own_key_count(JSContext* cx, JS::HandleObject object);
// Reads `key` when it is an own property; prototypes take no part. True: `value` holds it; false:
// there is none; nothing: an exception.
std::optional<bool> get_own(JSContext* cx, JS::HandleObject object, JS::HandleId key,
                            JS::MutableHandleValue value);
// The nearest data property along the prototypes, without running any code. As above.
std::optional<bool> find_data(JSContext* cx, JS::HandleObject object, const char* name,
                              JS::MutableHandleValue value);

// Copies the entries of a Map (key, value, key, value, ...) or the members of a Set.
bool copy_entries(JSContext* cx, JS::HandleObject map_or_set, JS::MutableHandleValueVector entries);

// The bytes that an ArrayBuffer or a view covers. Nothing when it is neither.
std::optional<std::span<std::uint8_t>> bytes_of(JSObject* object, const JS::AutoRequireNoGC& no_gc);

// ---------------------------------------------------------------------------------------- errors

// The youngest frames of the running code; null when no code runs.
bool capture_stack(JSContext* cx, unsigned max_frames, JS::MutableHandleObject stack);
// An Error object with the realm's own prototype for `type`. `stack` may be null.
JSObject* create_error(JSContext* cx, JSExnType type, JS::HandleObject stack,
                       JS::HandleString message);
// The stack that an Error object was made with, as text; empty when it has none.
JSString* captured_stack_text(JSContext* cx, JS::HandleObject error);

struct ErrorPosition {
  bool syntax = false;
  std::string file;
  std::uint32_t line = 0;    // 1-based; 0 when unknown
  std::uint32_t column = 0;  // 1-based; 0 when unknown
};
// Where the engine says that an error of its own happened. Nothing for other objects.
std::optional<ErrorPosition> error_position(JSContext* cx, JS::HandleObject error);

}  // namespace cordon::engine::sm

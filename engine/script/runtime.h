#pragma once
// One warm engine: the context, its single realm, and what natives need to find from it. Created
// once per process; never destroyed, since a child ends by _exit.
//
// Guest code of one call at a time; `run()` is that call.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <memory>
#include <optional>
#include <string>

#include "engine/script/capability_module.h"
#include "engine/script/job_queue.h"
#include "engine/script/memory_limit.h"
#include "engine/script/random.h"
#include "engine/script/realm_guard.h"
#include "engine/script/spidermonkey.h"
#include "engine/script/wire.h"
#include "engine/script_engine.h"
#include "messages/result.h"

namespace cordon::engine {

class Run;

class Runtime final : public sm::Host {
 public:
  // Makes the context and the realm, and evaluates the prelude. The error says what failed.
  static Result<std::unique_ptr<Runtime>, std::string> create(const ScriptEngineOptions& options);

  JSContext* context() const noexcept { return cx_; }
  JS::HandleObject global() const { return *global_; }
  JobQueue& jobs() { return *jobs_; }
  MemoryLimit& memory() { return memory_; }
  RandomSource& random() { return random_; }
  CapabilityModule& capability_module() { return *capability_module_; }
  // Written when there is no memory to build another frame.
  const Payload& out_of_memory_frame() const { return out_of_memory_frame_; }

  // Null between calls.
  Run* run() const noexcept { return run_; }
  void set_run(Run* run) noexcept { run_ = run; }

  // Of the built-in assert, evaluated and frozen.
  JS::HandleObject assert_module() const { return *assert_module_; }
  JS::HandleObject strict_assert_module() const { return *strict_assert_module_; }
  RealmGuard& realm_guard() { return *realm_guard_; }

  // What Date takes for now, for the rest of the run.
  void set_date(std::int64_t unix_ms) noexcept {
    fixed_date_us_ = static_cast<double>(unix_ms) * 1000;
  }

  // The href of a URL object of this realm, undefined for anything else.
  bool href_of(JS::HandleValue value, JS::MutableHandleValue href) const;

  bool enqueue_job(JSContext* cx, JS::HandleObject job) override;
  void rejection_changed(JSContext* cx, JS::HandleObject promise, bool handled) override;
  JSObject* resolve_module(JSContext* cx, JS::HandleString specifier) override;
  bool import_dynamically(JSContext* cx, JS::HandleValue referrer, JS::HandleObject request,
                          JS::HandleString specifier, JS::HandleObject promise) override;
  bool fill_import_meta(JSContext* cx, JS::HandleValue label, JS::HandleObject meta) override;
  void collected(JSContext* cx) override;
  void out_of_memory_reported() override { memory_.allocation_failed(); }
  double date_now(double system_us) const override { return fixed_date_us_.value_or(system_us); }
  bool may_continue() const override { return !memory_.exceeded(); }

 private:
  Runtime() = default;
  bool create_realm();
  bool evaluate_prelude();
  bool load_locale_data();
  bool load_assert(JS::HandleObject hooks);
  JSObject* evaluated(const char* name, std::string_view code);

  JSContext* cx_ = nullptr;
  std::optional<JS::PersistentRootedObject> global_;
  std::optional<JobQueue> jobs_;
  std::optional<JS::PersistentRootedValue> href_hook_;
  std::unique_ptr<RealmGuard> realm_guard_;
  std::optional<JS::PersistentRootedObject> assert_module_;
  std::optional<JS::PersistentRootedObject> strict_assert_module_;
  std::optional<double> fixed_date_us_;
  MemoryLimit memory_;
  RandomSource random_;
  std::unique_ptr<CapabilityModule> capability_module_;
  Payload out_of_memory_frame_;
  Run* run_ = nullptr;
};

Runtime& runtime_of(JSContext* cx);

}  // namespace cordon::engine

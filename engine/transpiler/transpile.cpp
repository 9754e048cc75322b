#include "engine/transpiler/transpile.h"

#include <cstring>

#include <swc.h>

#include "engine/transpiler/javascript_values.h"
#include "engine/transpiler/swc_instance.h"
#include "engine/transpiler/wasm_runtime.h"

namespace cordon::transpiler {
namespace {

Z_swc_instance_t instance;
u32 saved_stack_pointer = 0;

// A little of everything, so that what swc makes once is made before its state is saved.
constexpr std::string_view kRehearsal = R"(
import { a, type B } from "fs";
interface I<T> { x: T; y?: string }
type Pair<A, B> = [A, B];
export class C<T> extends Object implements I<T> {
  #p = 1; static s: number = 2; x!: T;
  constructor(private readonly q: T, z = 1) { super(); this.x = q; }
  get v(): number { return this.#p; }
  async *m<U>(...r: U[]): AsyncGenerator<U> { for (const u of r) yield u; }
}
export default async function main(args: { n?: number } = {}): Promise<unknown> {
  const { n = 3, ...rest } = args as any;
  let t = `x${n}` + 'y' + /a(b)/g.source, o: B | null = null;
  for (let i = 0; i < 3; i++) { if (i > 1 && !o) continue; else t += a!(i)?.b ?? [i, ...[1]]; }
  try { await Promise.all([1].map((e) => e * 2)); } catch (e) { throw new Error(String(e)); }
  switch (n) { case 1: return rest; default: return { t, n: <number>n, f() { return this; } }; }
}
)";

struct Run {
  std::string_view source;
  bool done = false;
  Property code;
  Property map;
};

void run(void* context) {
  Run& run = *static_cast<Run*>(context);
  const Arguments arguments = make_arguments(run.source);
  // What it returns: the handle of a result, or that of an error, and whether it is one.
  struct {
    u32 result, error, failed;
  } returned{};
  const u32 address = Z_swcZ___wbindgen_add_to_stack_pointer(&instance, static_cast<u32>(-16));
  Z_swcZ_transformSync(&instance, address, arguments.source, arguments.options);
  std::memcpy(&returned, instance.w2c_memory.data + address, sizeof returned);
  if (returned.failed != 0) return;
  run.code = text_property(returned.result, "code");
  run.map = text_property(returned.result, "map");
  run.done = run.code.found && run.map.found;
}

void instantiate(void*) {
  Z_swc_init_module();
  Z_swc_instantiate(&instance, nullptr);
}

}  // namespace

Z_swc_instance_t& swc_instance() { return instance; }

bool prepare() {
  if (!start_runtime() || run_guarded(instantiate, nullptr) != Trap::kNone) return false;
  Run rehearsal{kRehearsal, false, {}, {}};
  // The second finds room that the first one has freed, as every source does.
  for (int i = 0; i < 2; ++i) {
    rehearsal.done = false;
    if (run_guarded(run, &rehearsal) != Trap::kNone || !rehearsal.done) return false;
    Z_swcZ___wbindgen_add_to_stack_pointer(&instance, 16);
    keep_values();
  }
  saved_stack_pointer = instance.w2c_g0;
  return save_memory(instance.w2c_memory);
}

std::optional<Transpiled> transpile(std::string_view source) {
  Run request{source, false, {}, {}};
  const Trap trap = run_guarded(run, &request);
  restore_memory(instance.w2c_memory);
  instance.w2c_g0 = saved_stack_pointer;
  if (trap != Trap::kNone || !request.done) return std::nullopt;
  return Transpiled{request.code.text, request.map.text};
}

}  // namespace cordon::transpiler

// What the compiler lowers for this engine works together with the library that the lowered code needs.
const log = console.log;
const order: string[] = [];
class Resource {
  constructor(private readonly name: string, readonly fails = false) {}
  [Symbol.dispose]() { order.push(`dispose ${this.name}`); if (this.fails) throw new Error(`disposing ${this.name}`); }
  async [Symbol.asyncDispose]() { await null; order.push(`async dispose ${this.name}`); }
}
{
  using first = new Resource('first');
  using second = new Resource('second');
  using nothing = null;
  await using third = new Resource('third');
  order.push('body');
}
log(order);
try {
  using bad = new Resource('bad', true);
  throw new Error('body');
} catch (e) {
  log((e as SuppressedError) instanceof SuppressedError, (e as any).error.message, (e as any).suppressed.message);
}
for (using each of [new Resource('loop')]) order.push('in loop');
log(order.slice(-2));

function logged(value: Function, context: ClassMethodDecoratorContext) {
  context.metadata.logged = String(context.name);
  return function (this: unknown, ...args: unknown[]) { log('call', context.kind, context.name, args); return value.apply(this, args); };
}
function doubled(_: undefined, context: ClassFieldDecoratorContext) { return (initial: number) => initial * 2; }
function registered<T extends Function>(value: T, context: ClassDecoratorContext) { context.addInitializer(() => log('registered', context.name)); return value; }
@registered
class Decorated {
  @doubled field = 21;
  static #count = 0;
  accessor watched = 1;
  @logged method(n: number) { return n + ++Decorated.#count; }
  static { log('static block'); }
}
log(new Decorated().field, new Decorated().method(1), Decorated.name, (Decorated as any)[Symbol.metadata]);

enum Colour { Red, Green = 5, Blue }
const enum Fast { A = 1, B = A << 3 }
namespace Space { export const inner = 'namespaced'; }
type Shape = { kind: 'a' } | { kind: 'b' };
const shape = { kind: 'a' } satisfies Shape;
log(Colour.Blue, Colour[5], Fast.B, Space.inner, shape);
abstract class Base<T> { abstract get value(): T; declare ghost: T; }
class Derived extends Base<number> { override get value() { return 7; } }
log(new Derived().value, 'ghost' in new Derived());
let maybe: { deep?: { list?: number[] } } | null = null;
maybe ??= {}; maybe.deep ||= { list: [1] };
log(maybe.deep?.list?.at(-1), maybe!.deep!.list![0]!, 1_000_000, 2n ** 64n, `${/(?<year>\d{4})/d.exec('in 2024')?.groups?.year}`);
try { new RegExp('[a--b]', 'v'); } catch (e) { log((e as Error).name); }
label: for (const x of [1, 2]) for (const y of [1]) { if (x === 1) continue label; log('labelled', x, y); }
log(await Promise.all([(async () => { for await (const v of (async function* () { yield* [1, 2]; })()) log(v); return 'done'; })()]));
export {};

// Newer syntax of the language itself, among types.

function* walk(depth: number): Generator<number, string, string | undefined> {
  const sent = yield depth;
  if (depth > 0) yield* walk(depth - 1);
  return `end ${sent}`;
}
const tag = (parts: TemplateStringsArray, ...values: unknown[]): string => parts.raw.join('|') + values.join(',');
async function* ticks(n: number): AsyncGenerator<number> {
  try {
    for (let i = 0; i < n; i++) yield await Promise.resolve(i);
  } finally {
    closed = true;
  }
}
let closed = false;
class Id {
  static #next = 1;
  readonly #id = Id.#next++;
  static is(value: object): boolean { return #id in value; }
  get [Symbol.toStringTag]() { return `Id${this.#id}`; }
}

export default async () => {
  const generator = walk(1);
  const steps = [generator.next(), generator.next('sent'), generator.next(), generator.next()];
  const seen: number[] = [];
  for await (const tick of ticks(5)) { if (tick === 2) break; seen.push(tick); }
  const { a, b: { c = 'default', ...others } = {}, ...rest }: any = { a: 1, b: { d: 2, e: 3 }, f: 4 };
  const [head, , third = 'third', ...tail]: unknown[] = [1, 2, undefined, 4, 5];
  let nullish: number | null = null;
  nullish ??= 7;
  let or = 0; or ||= 8;
  let and = 1; and &&= 9;
  outer: for (const i of [0, 1, 2]) for (const j of [0, 1, 2]) { if (i * j === 2) { seen.push(i, j); break outer; } }
  let caught = '';
  try { throw new Error('inner', { cause: { code: 5 } }); } catch (error: unknown) { caught = `${(error as any).cause.code}`; }
  try { null!.x; } catch { caught += '!'; }
  return {
    steps: steps.map(({ value, done }) => [value, done ?? false]),
    seen,
    closed,
    destructured: [a, c, others, rest, head, third, tail],
    assigned: [nullish, or, and],
    tagged: tag`a\n${1}b${2}`,
    numbers: [1_000_000, 0b101, 0o17, 0xff, 2 ** 10, (-2) ** 3],
    big: 2n ** 64n,
    caught,
    optional: [undefined?.['x'], (null as any)?.(), [1].at?.(-1)],
    id: [Id.is(new Id()), Id.is({}), String(new Id())],
    hasOwn: Object.hasOwn({ own: 1 }, 'own'),
    topLevel,
    newTarget: (function (this: unknown) { return new.target === undefined; })(),
    comma: (1, 2),
    spread: [...'añ😀', ...new Set([1, 1, 2])],
    computed: { [`k${1 + 1}`]: 1, get x() { return 'got'; }, async *m() {} }.x,
    regexp: /(?<year>\d{4})/d.exec('in 2024')!.indices!.groups!.year,
    typeofImport: typeof import.meta,
    meta: Object.keys(import.meta),
  };
};
const topLevel = await Promise.resolve('awaited');

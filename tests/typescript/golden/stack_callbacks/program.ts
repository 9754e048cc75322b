// Through callbacks of built-ins, generators, getters, constructors, static blocks and iteration.
interface Item { n: number }

function* produce(items: Item[]): Generator<number, void, unknown> {
  for (const item of items) {
    yield check(item);
  }
}
function check({ n }: Item): number {
  if (n > 2) throw new RangeError('too big');
  return n;
}
class Reader {
  constructor(private readonly items: Item[]) {
    this.sum;
  }
  get sum(): number {
    return [...produce(this.items)].reduce((a, b) => a + b, 0);
  }
}
class Late {
  static value: unknown;
  static {
    this.value = () => [1].map((n: number) => new Reader([{ n }, { n: n + 2 }]));
  }
}

export default () => {
  const run = Late.value as () => unknown;
  return run();
};

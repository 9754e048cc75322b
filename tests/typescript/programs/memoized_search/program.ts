// Dynamic programming with a memoizing decorator: edit distance, knapsack, common subsequences, coins, partitions.

type Key = string | number | bigint;

function memoized<This extends object, Args extends Key[], Result>(method: (this: This, ...args: Args) => Result, context: ClassMethodDecoratorContext<This>) {
  const caches = new WeakMap<This, Map<string, Result>>();
  context.addInitializer(function (this: This) { caches.set(this, new Map()); });
  return function (this: This, ...args: Args): Result {
    const cache = caches.get(this)!;
    const key = args.join();
    if (!cache.has(key)) {
      Counter.misses++;
      cache.set(key, method.apply(this, args));
    } else Counter.hits++;
    return cache.get(key)!;
  };
}

class Counter { static hits = 0; static misses = 0; }

class Words {
  constructor(private readonly a: string, private readonly b: string) {}

  @memoized distance(i = 0, j = 0): number {
    if (i === this.a.length) return this.b.length - j;
    if (j === this.b.length) return this.a.length - i;
    if (this.a[i] === this.b[j]) return this.distance(i + 1, j + 1);
    return 1 + Math.min(this.distance(i + 1, j), this.distance(i, j + 1), this.distance(i + 1, j + 1));
  }

  @memoized common(i = 0, j = 0): string {
    if (i === this.a.length || j === this.b.length) return '';
    if (this.a[i] === this.b[j]) return this.a[i] + this.common(i + 1, j + 1);
    const [left, right] = [this.common(i + 1, j), this.common(i, j + 1)];
    return left.length >= right.length ? left : right;
  }
}

interface Thing { readonly name: string; readonly weight: number; readonly value: number }

class Knapsack {
  constructor(private readonly things: readonly Thing[]) {}

  @memoized best(room: number, at = 0): number {
    const thing = this.things[at];
    if (thing === undefined) return 0;
    const without = this.best(room, at + 1);
    return thing.weight > room ? without : Math.max(without, thing.value + this.best(room - thing.weight, at + 1));
  }

  chosen(room: number): string[] {
    const names: string[] = [];
    this.things.forEach(({ name, weight, value }, at) => {
      if (weight > room || this.best(room, at) !== value + this.best(room - weight, at + 1)) return;
      names.push(name);
      room -= weight;
    });
    return names;
  }
}

class Numbers {
  @memoized fibonacci(n: number): bigint { return n < 2 ? BigInt(n) : this.fibonacci(n - 1) + this.fibonacci(n - 2); }
  @memoized partitions(n: number, largest = n): number {
    if (n === 0) return 1;
    return Array.from({ length: Math.min(n, largest) }, (_, i) => this.partitions(n - i - 1, i + 1)).reduce((a, b) => a + b, 0);
  }
  @memoized coins(amount: number, kinds: string): number {
    if (amount === 0) return 0;
    const counts = kinds.split(' ').map(Number).filter((coin) => coin <= amount).map((coin) => 1 + this.coins(amount - coin, kinds));
    return Math.min(Infinity, ...counts);
  }
}

function longestIncreasing(numbers: readonly number[]): number[] {
  const best: number[][] = [];
  numbers.forEach((n, i) => {
    const before = best.slice(0, i).filter((run) => run.at(-1)! < n).reduce<number[]>((a, b) => (b.length > a.length ? b : a), []);
    best.push([...before, n]);
  });
  return best.reduce((a, b) => (b.length > a.length ? b : a), []);
}

export default (a: string, b: string, things: Thing[], room: number) => {
  const words = new Words(a, b);
  const knapsack = new Knapsack(things);
  const numbers = new Numbers();
  const fibonacci = numbers.fibonacci(150);
  const before = Counter.misses;
  numbers.fibonacci(150);
  const cached = Counter.misses === before && Counter.hits > 0;
  return {
    distance: words.distance(),
    reversed: new Words(b, a).distance(),
    common: words.common(),
    best: knapsack.best(room),
    chosen: knapsack.chosen(room),
    fibonacci,
    cached,
    partitions: [5, 10, 30].map((n) => numbers.partitions(n)),
    coins: [numbers.coins(63, '1 5 10 21 25'), numbers.coins(7, '4 6')],
    increasing: longestIncreasing([10, 9, 2, 5, 3, 7, 101, 18]),
  };
};

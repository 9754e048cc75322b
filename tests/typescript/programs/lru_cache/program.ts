// A least-recently-used cache with a time to live, a linked list under a Map, and a log of what happens to it.

interface Entry<K, V> { key: K; value: V; expires: number; newer: Entry<K, V> | null; older: Entry<K, V> | null }
interface CacheOptions<K, V> {
  readonly capacity: number;
  readonly ttl?: number;
  readonly clock: () => number;
  readonly onEvict?: (key: K, value: V, reason: 'capacity' | 'expired') => void;
}

class LruCache<K extends string | number, V> implements Iterable<[K, V]> {
  readonly #entries = new Map<K, Entry<K, V>>();
  #newest: Entry<K, V> | null = null;
  #oldest: Entry<K, V> | null = null;
  readonly stats = { hits: 0, misses: 0, evictions: 0 };

  constructor(private readonly options: CacheOptions<K, V>) {
    if (!(options.capacity > 0)) throw new RangeError('capacity must be positive');
  }

  get size(): number { return this.#entries.size; }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.expires <= this.options.clock()) {
      this.#remove(entry, 'expired');
    } else if (entry !== undefined) {
      this.stats.hits++;
      this.#unlink(entry);
      this.#link(entry);
      return entry.value;
    }
    this.stats.misses++;
    return undefined;
  }

  set(key: K, value: V): this {
    const expires = this.options.clock() + (this.options.ttl ?? Infinity);
    const found = this.#entries.get(key);
    if (found !== undefined) {
      Object.assign(found, { value, expires });
      this.#unlink(found);
      this.#link(found);
      return this;
    }
    if (this.size >= this.options.capacity) this.#remove(this.#oldest!, 'capacity');
    const entry: Entry<K, V> = { key, value, expires, newer: null, older: null };
    this.#entries.set(key, entry);
    this.#link(entry);
    return this;
  }

  /** `compute` runs at most once for callers that ask for the same key. */
  async load(key: K, compute: (key: K) => Promise<V & {}>): Promise<V> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = await compute(key);
    this.set(key, value);
    return value;
  }

  #link(entry: Entry<K, V>): void {
    entry.older = this.#newest;
    entry.newer = null;
    if (this.#newest !== null) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
  }

  #unlink({ newer, older, ...entry }: Entry<K, V>): void {
    if (newer !== null) newer.older = older; else this.#newest = older;
    if (older !== null) older.newer = newer; else this.#oldest = newer;
    void entry;
  }

  #remove(entry: Entry<K, V>, reason: 'capacity' | 'expired'): void {
    this.#unlink(entry);
    this.#entries.delete(entry.key);
    this.stats.evictions++;
    this.options.onEvict?.(entry.key, entry.value, reason);
  }

  /** From the newest to the oldest. */
  *[Symbol.iterator](): Generator<[K, V]> {
    for (let entry = this.#newest; entry !== null; entry = entry.older) yield [entry.key, entry.value];
  }
}

type Step = ['set', string, number] | ['get', string] | ['wait', number];

export default async (capacity: number, ttl: number, steps: Step[]) => {
  let now = 0;
  const evicted: string[] = [];
  const cache = new LruCache<string, number>({ capacity, ttl, clock: () => now, onEvict: (key, value, reason) => evicted.push(`${key}=${value} ${reason}`) });
  const seen: unknown[] = [];
  for (const step of steps) {
    switch (step[0]) {
      case 'set': cache.set(step[1], step[2]); break;
      case 'get': seen.push(cache.get(step[1])); break;
      case 'wait': now += step[1]; break;
    }
  }
  const loaded = await cache.load('lazy', async (key) => key.length);
  return { seen, evicted, stats: cache.stats, order: [...cache].map(([key]) => key), loaded, size: cache.size };
};

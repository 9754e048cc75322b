// Collections up to ES2025: set operations, iterator helpers, grouping, copying array methods, Array.fromAsync.

const evens = new Set([2, 4, 6, 8]);
const small = new Set([1, 2, 3, 4]);
function* naturals(): Generator<number> { let n = 1; try { for (;;) yield n++; } finally { finished++; } }
let finished = 0;

export default async () => ({
  sets: {
    union: [...evens.union(small)],
    intersection: [...evens.intersection(small)],
    difference: [...evens.difference(small)],
    symmetric: [...evens.symmetricDifference(small)],
    subset: [new Set([2]).isSubsetOf(evens), evens.isSubsetOf(small)],
    superset: evens.isSupersetOf(new Set([4, 6])),
    disjoint: evens.isDisjointFrom(new Set([1, 3])),
    mapLike: [...small.intersection(new Map([[3, 'x'], [9, 'y']]))],
  },
  iterators: {
    chain: naturals().filter((n) => n % 2 === 1).map((n) => n * n).drop(1).take(3).toArray(),
    flat: naturals().take(3).flatMap((n) => Array(n).fill(n)).toArray(),
    reduce: naturals().take(4).reduce((sum, n) => sum + n, 0),
    some: naturals().some((n) => n > 10),
    every: naturals().every((n) => n < 5),
    find: naturals().find((n) => n * n > 50),
    from: Iterator.from({ next: (() => { let n = 0; return () => ({ done: n > 1, value: n++ }); })() }).toArray(),
    finished,
    values: [1, 2, 3].values().map((n) => n + 1).toArray(),
    isIterator: naturals() instanceof Iterator,
  },
  grouped: Object.groupBy(['apple', 'avocado', 'bean'], (word) => word[0]),
  noPrototype: Object.getPrototypeOf(Object.groupBy([], String)) === null,
  mapGrouped: Map.groupBy([1, 2, 3], (n) => n % 2 === 0),
  arrays: {
    sorted: ((list: number[]) => [list.toSorted(), list.toSorted((x, y) => y - x), list])([10, 9, 1]),
    reversed: [1, 2, 3].toReversed(),
    spliced: [1, 2, 3, 4].toSpliced(1, 2, 9, 9, 9),
    with: [1, 2, 3].with(-1, 30),
    last: [[1, 2, 3, 4].findLast((n) => n % 2 === 1), [1, 2, 3, 4].findLastIndex((n) => n > 9)],
    flat: [1, [2, [3, [4]]]].flat(Infinity),
    at: [5, 6, 7].at(-2),
    includes: [NaN].includes(NaN),
    copyWithin: [1, 2, 3, 4, 5].copyWithin(0, 3),
    stable: [{ k: 1, v: 'a' }, { k: 0, v: 'b' }, { k: 1, v: 'c' }, { k: 0, v: 'd' }].sort((x, y) => x.k - y.k).map(({ v }) => v).join(''),
  },
  typed: [...new Float64Array([3, 1, 2]).toSorted(), ...new Uint8Array([1, 2]).toReversed(), ...new Int8Array([1, 2]).with(0, 300)],
  async: await Array.fromAsync((async function* () { yield 1; yield 2; })(), async (n) => n * 10),
  asyncLike: await Array.fromAsync({ length: 2, 0: Promise.resolve('a'), 1: 'b' }),
  entries: Object.fromEntries(new Map([['x', 1], ['y', 2]])),
  weak: [new WeakMap([[evens, 1]]).get(evens), new WeakRef(evens).deref() === evens],
});

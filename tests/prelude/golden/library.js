// What core-js adds, one line a feature.
const log = console.log;
log([5, 1, 4].findLast((x) => x > 3), [5, 1, 4].findLastIndex((x) => x > 4));
log([3, 1, 2].toSorted(), [1, 2, 3].toReversed(), [1, 2, 3].toSpliced(1, 1, 'a', 'b'), [1, 2].with(0, 9));
log(new Uint8Array([3, 1, 2]).toSorted(), new Int16Array([1, 2]).with(1, 7), new Uint8Array([1, 2, 3]).findLast((x) => x < 3));
log(await Array.fromAsync((async function* () { yield 1; yield 2; })(), (x) => x * 2));
log(Object.groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even')), Map.groupBy([1, 2, 3], (x) => x % 2));
log(await Promise.try((a) => a + 1, 1), await Promise.try(() => { throw 'thrown'; }).catch((e) => e));
const { promise, resolve } = Promise.withResolvers(); resolve('resolved'); log(await promise);
log(RegExp.escape('a.b*c'), 'a\ud800'.isWellFormed(), 'a\ud800'.toWellFormed() === 'a\ufffd');
const a = new Set([1, 2, 3]), b = new Set([2, 3, 4]);
log(a.union(b), a.intersection(b), a.difference(b), a.symmetricDifference(b));
log(a.isSubsetOf(b), new Set([2]).isSubsetOf(a), a.isSupersetOf(new Set([1])), a.isDisjointFrom(new Set([9])));
function* count() { for (let i = 0; ; i++) yield i; }
log(count().filter((x) => x % 2).map((x) => x * x).drop(1).take(3).toArray());
log(count().take(3).reduce((x, y) => x + y), count().some((x) => x > 5), count().take(2).every((x) => x < 2), count().find((x) => x > 7));
log([...count().take(2).flatMap((x) => [x, x])], Iterator.from({ next: () => ({ done: true }) }).toArray());
count().take(2).forEach((x, i) => log('each', x, i));
log([1].values() instanceof Iterator, count() instanceof Iterator, Iterator.prototype[Symbol.toStringTag]);
class Own extends Iterator { next() { return { done: true }; } }
log(new Own().toArray(), new Own().map((x) => x)[Symbol.toStringTag]);
log(Math.f16round(1.337), new DataView(new Uint8Array([60, 0]).buffer).getFloat16(0));
log(typeof Symbol.dispose, typeof Symbol.asyncDispose, typeof Symbol.metadata, Function.prototype[Symbol.metadata]);
const order = [];
{
  const stack = new DisposableStack();
  stack.use({ [Symbol.dispose]() { order.push('used'); } });
  stack.defer(() => order.push('deferred'));
  stack.dispose();
}
{
  const stack = new AsyncDisposableStack();
  stack.use({ async [Symbol.asyncDispose]() { order.push('async'); } });
  await stack.disposeAsync();
}
log(order);
const suppressed = new SuppressedError(new Error('late'), new Error('early'), 'both');
log(suppressed.name, suppressed.message, suppressed.error.message, suppressed.suppressed.message, suppressed instanceof Error);
const buffer = new Uint8Array([1, 2, 3]).buffer;
const moved = buffer.transfer(5);
log(buffer.detached, moved.detached, buffer.byteLength, new Uint8Array(moved), moved.transferToFixedLength(2));
for (const f of [() => buffer.transfer(), () => ArrayBuffer.prototype.transfer.call({}), () => new ArrayBuffer(1).transfer(-1)]) {
  try { f(); } catch (e) { log(e.name); }
}
log(Function.prototype.toString.call(Math.max).includes('[native code]'), Function.prototype.toString.name);
for (const [object, key] of [[Array.prototype, 'toSorted'], [Set.prototype, 'union'], [Promise, 'try'], [ArrayBuffer.prototype, 'transfer'], [Iterator.prototype, 'map']]) {
  const d = Object.getOwnPropertyDescriptor(object, key);
  log(key, d.value.name, d.value.length, d.writable, d.enumerable, d.configurable);
}

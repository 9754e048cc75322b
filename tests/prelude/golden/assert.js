// The assert module: Node's names, messages and error shape.
import assert from 'assert';
const log = console.log;
const fails = async (name, f) => {
  try { await f(); log(`${name}: passed`); }
  catch (e) { log(`${name}: ${e.name} ${e.code} ${e instanceof Error} ${JSON.stringify(String(e.message).split('\n')[0])}`); }
};
log(typeof assert, Object.keys(assert).sort().join(' '));
await fails('assert', () => assert(true));
await fails('assert', () => assert(0));
await fails('assert message', () => assert(false, 'my message'));
await fails('assert error', () => assert(false, new RangeError('mine')));
await fails('ok', () => assert.ok(null, 'not ok'));
await fails('equal', () => assert.equal(1, '1'));
await fails('equal', () => assert.equal(1, 2));
await fails('strictEqual', () => assert.strictEqual(1, 1));
await fails('strictEqual', () => assert.strictEqual(1, '1'));
await fails('strictEqual NaN', () => assert.strictEqual(NaN, NaN));
await fails('notStrictEqual', () => assert.notStrictEqual(1, 1));
await fails('deepEqual', () => assert.deepEqual({ a: [1, { b: '2' }] }, { a: [1, { b: 2 }] }));
await fails('deepStrictEqual', () => assert.deepStrictEqual({ a: [1, new Map([[1, new Set(['x'])]])], d: new Date(0), r: /x/g }, { a: [1, new Map([[1, new Set(['x'])]])], d: new Date(0), r: /x/g }));
await fails('deepStrictEqual', () => assert.deepStrictEqual({ a: 1 }, { a: '1' }));
await fails('deepStrictEqual types', () => assert.deepStrictEqual(new Set([1]), new Set([2])));
await fails('deepStrictEqual prototypes', () => assert.deepStrictEqual(Object.create(null), {}));
await fails('deepStrictEqual bytes', () => assert.deepStrictEqual(new Uint8Array([1, 2]), new Uint8Array([1, 2])));
await fails('deepStrictEqual bigint', () => assert.deepStrictEqual([1n, -0], [1n, -0]));
await fails('notDeepStrictEqual', () => assert.notDeepStrictEqual([1], [1]));
await fails('throws', () => assert.throws(() => { throw new TypeError('bad value'); }, TypeError));
await fails('throws regexp', () => assert.throws(() => { throw new TypeError('bad value'); }, /bad/));
await fails('throws object', () => assert.throws(() => { throw new TypeError('bad value'); }, { name: 'TypeError', message: 'bad value' }));
await fails('throws nothing', () => assert.throws(() => {}));
await fails('throws other', () => assert.throws(() => { throw new Error('x'); }, /y/));
await fails('doesNotThrow', () => assert.doesNotThrow(() => { throw new Error('x'); }));
await fails('rejects', () => assert.rejects(Promise.reject(new Error('no')), /no/));
await fails('rejects function', () => assert.rejects(async () => { throw new Error('no'); }, Error));
await fails('rejects nothing', () => assert.rejects(Promise.resolve()));
await fails('doesNotReject', () => assert.doesNotReject(Promise.resolve()));
await fails('match', () => assert.match('abc', /b/));
await fails('match', () => assert.match('abc', /z/));
await fails('ifError', () => assert.ifError(null));
await fails('fail', () => assert.fail('on purpose'));
await fails('strict', () => assert.strict.equal(1, '1'));
const error = new assert.AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' });
log(error.name, error.code, error.actual, error.expected, error.operator, error.generatedMessage, assert.strict.AssertionError === assert.AssertionError);
try { assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }); } catch (e) { log(e.message); }

// Values that fight back: the console runs none of their code, ends soon and never throws.
const { log } = console;
let ran = 0;
const run = () => { ran++; throw new Error('ran'); };
const trap = new Proxy({}, { get: () => run });
log(new Proxy({ a: 1 }, trap), new Proxy([1, new Proxy({ b: 2 }, trap)], trap), new Proxy(() => {}, trap), new Proxy(new Proxy({ twice: 1 }, trap), trap));
const revoked = Proxy.revocable({}, {}); revoked.revoke(); log(revoked.proxy, [revoked.proxy]);
log({ get a() { run(); }, [Symbol.toPrimitive]: run, toString: run, toJSON: run, valueOf: run, inspect: run });
log({ [Symbol.for('nodejs.util.inspect.custom')]: run });
class Sneaky { static get name() { run(); } get [Symbol.toStringTag]() { run(); } static [Symbol.hasInstance]() { run(); } }
log(new Sneaky(), Sneaky);
log(Object.create(new Proxy({}, trap)), Object.setPrototypeOf([1], new Proxy([], trap)), Object.setPrototypeOf(new Map([[1, 2]]), new Proxy({}, trap)));
const map = new Map([[1, 2]]); map.entries = map.forEach = map[Symbol.iterator] = run; Object.defineProperty(map, 'size', { get: run }); log(map);
const error = new Error('e'); Object.defineProperty(error, 'stack', { get: run }); Object.defineProperty(error, 'name', { get: run }); log(error);
const regexp = /x/g; Object.defineProperty(regexp, 'flags', { get: run }); Object.defineProperty(regexp, 'source', { get: run }); log(regexp);
const date = new Date(0); date.toISOString = date.getTime = run; log(date);
const promise = Promise.resolve(1); promise.then = run; Object.defineProperty(promise, 'constructor', { get: run }); log(promise);
const bytes = new Uint8Array(2); Object.defineProperty(bytes, 'length', { get: run }); log(bytes);
log('%s %d %i %f', { toString: run, valueOf: run }, { valueOf: run }, { toString: run }, { toString: run });
log('%j', { toJSON() { throw new Error('asked for'); } }, '%j', 1n);
console.table([{ get a() { run(); } }, new Proxy({ b: 1 }, trap)]);
console.table(new Proxy([1], trap)); console.dir({}, { get depth() { run(); } }); console.dir({}, new Proxy({}, trap));
console.count({ toString: run }); console.time({ toString: run }); console.assert(false, { toString: run });
log('guest code ran:', ran);

let deep = {}; const top = deep; for (let i = 0; i < 1e5; i++) deep = deep.d = {};
log(top); console.dir({ list: [top] }, { depth: 3 });
const long = Array(1e6).fill(7); long[3] = 'x'; log(long.slice(0, 3), long.length);
console.dir(long); log(Array(1e9)); const sparse = []; sparse[5] = 1; sparse[4e9] = 2; log(sparse);
log(new Uint8Array(1e7).fill(3), Object.keys(long).length);
log(new Set(Array(1e5).keys()), new Map([[long, long]]));

// structuredClone: what is copied and how, and what is refused.
const log = console.log;
const refused = (f) => { try { return ['cloned', f()]; } catch (e) { return `${e.name} ${e.code}: ${e.message}`; } };
const source = { n: 1, s: 'x', u: undefined, b: 1n, d: new Date(5), r: /a/gi, m: new Map([[{ k: 1 }, new Set([1])]]), list: [1, , 3], z: -0 };
const copy = structuredClone(source);
log(copy, copy !== source, copy.d !== source.d, 1 in copy.list, Object.is(copy.z, -0));
const cyclic = { name: 'c' }; cyclic.self = cyclic; cyclic.both = [cyclic.shared = {}, cyclic.shared];
const cyclicCopy = structuredClone(cyclic);
log(cyclicCopy.self === cyclicCopy, cyclicCopy.both[0] === cyclicCopy.both[1], cyclicCopy.shared === cyclicCopy.both[0]);
log(structuredClone([Object(1), Object('s'), Object(true), Object(2n)]));
const buffer = new Uint8Array([1, 2, 3, 4]).buffer;
const views = structuredClone({ a: new Uint8Array(buffer, 1, 2), b: new DataView(buffer, 2), c: buffer });
log(views.a, views.a.buffer === views.c, views.b.buffer === views.c, views.b.getUint8(0), views.c !== buffer);
class Point { constructor() { this.x = 1; } get y() { return 2; } }
log(structuredClone(new Point()), structuredClone({ get computed() { return 'read'; } }), structuredClone(Object.create({ inherited: 1 })));
const error = structuredClone(Object.assign(new RangeError('range', { cause: { why: 1 } }), { extra: 1 }));
log(error instanceof RangeError, error.name, error.message, error.cause, 'extra' in error, typeof error.stack);
class Custom extends TypeError {}
log(structuredClone(new Custom('sub')).constructor.name, structuredClone(new DOMException('m', 'AbortError')).name);
log(Object.getOwnPropertyNames(structuredClone(JSON.parse('{"__proto__": 1}'))), structuredClone(null), structuredClone(undefined), structuredClone('text'));
for (const bad of [() => {}, Symbol('s'), new WeakMap(), Promise.resolve(), new Proxy({}, {}), [[class {}]], new WeakRef({}), (function* () {})(), [].values(), new Map([[1, () => {}]]), Object(Symbol('s'))]) log(refused(() => structuredClone(bad)));
log(refused(() => structuredClone({ get thrower() { throw new RangeError('from the getter'); } })));

const moving = new Uint8Array([7, 8]);
const moved = structuredClone({ moving }, { transfer: [moving.buffer] });
log(moved.moving, moving.length, moving.buffer.byteLength, moving.buffer.detached);
log(refused(() => structuredClone(1, { transfer: [moving.buffer] })), refused(() => structuredClone(1, { transfer: [{}] })), refused(() => structuredClone(moving)));
const twice = new ArrayBuffer(1);
log(refused(() => structuredClone(1, { transfer: [twice, twice] })), twice.detached);
let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep };
log(refused(() => structuredClone(deep)).split(':')[0]);

// What a guest patches plays no part in how its result crosses.

const map = new Map([['k', 'v']]);
const all = ['toJSON', 'constructor', 'length', '0', 'then'];
for (const prototype of [Object.prototype, Array.prototype, String.prototype, Date.prototype, Map.prototype, Number.prototype] as any[]) {
  for (const name of ['toJSON', 'toString', 'valueOf', Symbol.toPrimitive]) {
    Object.defineProperty(prototype, name, { value: () => 'hooked', configurable: true, writable: true });
  }
}
Object.defineProperty(Object.prototype, 'added', { get: () => 'hooked', set() {}, enumerable: true, configurable: true });
Array.prototype[Symbol.iterator] = function* () { yield 'hooked'; } as any;
Map.prototype.entries = Map.prototype[Symbol.iterator] = Set.prototype[Symbol.iterator] = Set.prototype.values as any;
(globalThis as any).JSON.stringify = () => '"hooked"';
Object.keys = Reflect.ownKeys = () => [];
Date.prototype.getTime = () => 0;
RegExp.prototype.exec = () => null;

export default () => ({
  object: { toJSON: 'own text', a: 1 },
  list: ['x', 2],
  date: new Date(86_400_000),
  map,
  proto: JSON.parse('{"__proto__": {"x": 1}, "ok": 1}'),
  names: all,
});

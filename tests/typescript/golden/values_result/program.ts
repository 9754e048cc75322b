// Every value that has a tag, and those that need none, on the way out.

class Money { #secret = 1; constructor(public amount: number, public currency = 'EUR') {} get shown() { return 'on the prototype'; } }
const shared = { same: true };

export default () => ({
  numbers: [1, -1.5, 1e21, 5e-324, 2 ** 53, NaN, Infinity, -Infinity, -0, 0],
  nothing: [undefined, null],
  missing: undefined,
  big: [0n, -12345678901234567890n],
  dates: [new Date(0), new Date(-1), new Date(8.64e15), new Date(NaN)],
  bytes: [new Uint8Array([0, 1, 255]), new Uint8Array(0), new Uint16Array([1, 256]), new Uint8Array([9, 1, 2, 9]).subarray(1, 3), new DataView(new Uint8Array([7, 8]).buffer, 1), new ArrayBuffer(2)],
  map: new Map<unknown, unknown>([['a', 1], [{ k: 1 }, new Map([[NaN, undefined]])]]),
  set: new Set<unknown>([1, 'x', new Set([null])]),
  text: ['', 'ä€😀', '\u0000\u001f"\\\u2028', '\ud83d', '\ude00\ud83d'],
  boxed: [true, false],
  instance: new Money(5),
  noPrototype: Object.assign(Object.create(null), { bare: 1 }),
  getter: { get computed() { return 6 * 7; } },
  hidden: Object.defineProperty({ seen: 1 }, 'unseen', { value: 2, enumerable: false }),
  symbolKey: { [Symbol('s')]: 1, text: 2 },
  twice: [shared, shared],
  proxy: new Proxy({ a: 1 }, { get: (target, key) => (key === 'a' ? 'trapped' : Reflect.get(target, key)) }),
  '': 'empty key',
  order: { b: 1, a: 2, 1: 'index first' },
});

// A guest that replaces the built-in methods changes what it calls itself: the prelude goes on working, and
// no replacement ever sees what native code gave to the prelude.
const { apply, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { log, table } = console;
const { AbortController, AbortSignal, TextDecoder, TextEncoder, URL } = globalThis;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const bindings = [
  'print', 'startTimer', 'stopTimer', 'enqueueMicrotask', 'now', 'fillRandom', 'encodeUtf8', 'decodeUtf8', 'promiseState',
  'proxyTarget', 'className', 'detach',
];
const genuine = new Set([performance.now, Date.now]);
const isGenuine = genuine.has.bind(genuine);
const leaked = [];

// Notes whether a value is a binding, or the object that holds them.
function examine(value) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return;
  if (typeof value === 'object' && getOwnPropertyDescriptor(value, 'startTimer') !== undefined) leaked[leaked.length] = 'all';
  if (typeof value !== 'function' || value === performance.now) return;
  const name = getOwnPropertyDescriptor(value, 'name')?.value;
  for (let i = 0; i < bindings.length; i++) if (bindings[i] === name) leaked[leaked.length] = name;
}
let calls = 0;
function spy(...args) {
  calls++;
  examine(this);
  for (let i = 0; i < args.length; i++) examine(args[i]);
}

const samples = [
  { a: { b: [1, 'x'] } }, new Map([[1, { a: 2 }]]), new Set([1]), new Uint8Array([104, 105]), new Date(0), /x/gi,
  new Proxy({ p: 1 }, {}), Symbol('s'), class A {}, () => {}, Object(1), [1, , 3], 10n, -0, 'a\n', Promise.resolve(1),
  new ArrayBuffer(2), new DataView(new ArrayBuffer(1)),
];
const failure = new RangeError('shown');
const buffer = new Uint8Array([1, 2]).buffer;
const targets = [
  Object, Object.prototype, Function.prototype, Array, Array.prototype, String, String.prototype, Number.prototype,
  Map.prototype, Set.prototype, WeakMap.prototype, RegExp.prototype, Date, Date.prototype, Symbol.prototype,
  BigInt.prototype, Boolean.prototype, Error.prototype, ArrayBuffer, ArrayBuffer.prototype, DataView.prototype,
  Object.getPrototypeOf(Uint8Array.prototype), Math, JSON, Reflect, Object.getPrototypeOf([].values()),
  Object.getPrototypeOf(new Map().entries()), Object.getPrototypeOf(new Set().values()),
];
for (let t = 0; t < targets.length; t++) {
  const keys = ownKeys(targets[t]);
  for (let i = 0; i < keys.length; i++) {
    const { configurable, get, set, value } = getOwnPropertyDescriptor(targets[t], keys[i]);
    if (!configurable || keys[i] === 'constructor') continue;
    const change = { __proto__: null, configurable: true };
    if (get !== undefined || set !== undefined) { change.get = spy; change.set = spy; }
    else if (typeof value === 'function') { change.value = spy; change.writable = true; }
    else continue;
    defineProperty(targets[t], keys[i], change);
  }
}
const globals = ['Map', 'Set', 'Error', 'TypeError', 'RangeError', 'Uint8Array', 'ArrayBuffer', 'DataView', 'DOMException', 'String', 'Number', 'Proxy', 'Date', 'RegExp', 'Object', 'Array', 'Reflect', 'WeakMap'];
for (let i = 0; i < globals.length; i++) globalThis[globals[i]] = spy;
// What descriptors and results without a prototype of their own would inherit.
const inherited = ['get', 'set', 'value', 'done', 'writable', 'print', 'startTimer', 'then'];
for (let i = 0; i < inherited.length; i++) {
  defineProperty({}.__proto__ ?? targets[1], inherited[i], { __proto__: null, get: spy, set: spy, configurable: true });
}

for (let i = 0; i < samples.length; i++) log(samples[i]);
log('%s %d %i %j %o', 'text', '42', 7.5, { a: 1 }, [1]);
log(failure);
table(samples[0]);
console.group('group'); console.warn('inside\ntwice'); console.groupEnd();
console.count(); console.count(); console.time('t'); console.timeEnd('t'); console.assert(false, 'assertion'); console.trace('trace');
console.dir(samples[0], { depth: 0 });

await pause(1);
let ticks = 0;
await new Promise((done) => { const id = setInterval(() => { if (++ticks === 2) { clearInterval(id); done(); } }, 1); });
await new Promise((done) => queueMicrotask(done));
log('timers', ticks, performance.now() > 0);

const encoded = new TextEncoder().encode('h\u00e9');
const decoder = new TextDecoder();
log(encoded, decoder.decode(encoded), decoder.decode(samples[3], { stream: true }), new TextDecoder('latin1').decode(encoded) === 'h\u00c3\u00a9', new TextDecoder('utf-16').decode(samples[3]) === '\u6968');
log(crypto.randomUUID(), crypto.getRandomValues(samples[3]));
const controller = new AbortController();
controller.signal.addEventListener('abort', () => log('aborted'));
const any = AbortSignal.any; const timeout = AbortSignal.timeout(1);
controller.abort();
log(controller.signal.aborted, typeof any);
await pause(2);
log(timeout.aborted);
const clone = structuredClone({ m: samples[1], d: samples[4], r: samples[5], l: [1, 2], buffer, failure }, { transfer: undefined });
log(clone.m !== samples[1], clone.m, clone.d, clone.r, clone.l, clone.buffer);
log(hrefOf({}), calls > 0);

// Setters for elements see only what the guest itself gave.
for (let i = 0; i < 5; i++) defineProperty([].__proto__ ?? targets[4], i, { __proto__: null, get: spy, set: spy, configurable: true });
console.log({ a: [1, { b: 2 }] }, samples[1]);
console.table(samples[0]);
setTimeout(() => {}, 1, 'argument');
new AbortController().abort();
for (let i = 0; i < 5; i++) delete targets[4][i];
log('leaked:', leaked);

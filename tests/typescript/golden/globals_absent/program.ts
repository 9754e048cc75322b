// Nothing of the host's world is on the global object, nor behind a new realm or a constructor.

const names = [
  'fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'WebTransport', 'BroadcastChannel', 'Worker', 'SharedWorker',
  'MessageChannel', 'SharedArrayBuffer', 'WebAssembly', 'File', 'Blob', 'FileReader', 'process', 'Buffer', 'require',
  'module', '__dirname', 'global', 'window', 'self', 'document', 'navigator', 'location', 'localStorage', 'indexedDB',
  'caches', 'Deno', 'Bun', 'importScripts', 'ShadowRealm', 'Temporal', 'print', 'load', 'readFile', 'setImmediate',
];

export default () => ({
  present: names.filter((name) => name in globalThis),
  byFunction: names.filter((name) => Function(`return typeof ${name}`)() !== 'undefined'),
  byConstructor: (() => {}).constructor('return typeof process')(),
  enumerable: Object.keys(globalThis),
  meta: [Object.keys(import.meta), Object.getPrototypeOf(import.meta) === null],
  thisAtTop: top === undefined,
});
const top = (function (this: unknown) { return this; })();

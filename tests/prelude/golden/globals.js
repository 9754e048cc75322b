// Every global of the contract is there with the attributes that the standards give it, and nothing else.
const names = [
  'AbortController', 'AbortSignal', 'AsyncDisposableStack', 'DOMException', 'DisposableStack', 'Intl', 'Iterator',
  'SuppressedError', 'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'clearInterval',
  'clearTimeout', 'console', 'crypto', 'performance', 'queueMicrotask', 'setInterval', 'setTimeout',
  'structuredClone',
];
const attributes = (object, key) => {
  const d = Object.getOwnPropertyDescriptor(object, key);
  const kind = 'value' in d ? (d.writable ? 'writable' : 'readonly') : 'accessor';
  return `${kind}${d.enumerable ? ' enumerable' : ''}${d.configurable ? ' configurable' : ''}`;
};
for (const name of names) {
  const value = globalThis[name];
  const shape = typeof value === 'function' ? `function ${value.name}/${value.length}` : Object.prototype.toString.call(value);
  console.log(`${name}: ${shape}, ${attributes(globalThis, name)}`);
}

console.log('--- members');
for (const [name, object] of [
  ['console', console], ['crypto', crypto], ['performance', performance], ['TextEncoder', TextEncoder.prototype],
  ['TextDecoder', TextDecoder.prototype], ['AbortController', AbortController.prototype],
  ['AbortSignal', AbortSignal.prototype], ['AbortSignal.', AbortSignal], ['URL', URL.prototype], ['URL.', URL],
  ['URLSearchParams', URLSearchParams.prototype],
]) {
  console.log(`${name}: ${Reflect.ownKeys(object).map(String).sort().join(' ')}`);
}

console.log('--- absent');
const absent = [
  'fetch', 'Request', 'Response', 'Headers', 'FormData', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'WebTransport',
  'BroadcastChannel', 'MessageChannel', 'Worker', 'SharedWorker', 'ServiceWorker', 'importScripts', 'SharedArrayBuffer',
  'Atomics', 'WebAssembly', 'File', 'FileReader', 'Blob', 'process', 'Buffer', 'require', 'module', 'exports', 'global',
  'window', 'self', 'document', 'navigator', 'location', 'localStorage', 'indexedDB', 'caches', 'Deno', 'Bun', 'Debugger',
  'InternalError', 'uneval', 'ReadableStream', 'print', 'load', 'quit', 'setImmediate', 'Event', 'EventTarget',
  '__core-js_shared__', 'prelude', 'install', 'bindings',
];
console.log(absent.filter((name) => name in globalThis).join() || 'all absent');
console.log(Object.keys(globalThis).join() || 'none enumerable');
console.log(Object.getOwnPropertyNames(globalThis).sort().join(' '));

// Gives the realm its globals. Runs once, before any guest code.

const { apply } = Reflect;
const hrefGetter = Object.getOwnPropertyDescriptor(URL.prototype, 'href').get;

export function install(bindings) {
  const { print, enqueueMicrotask } = bindings;
  globalThis.console = { log: (...values) => print('log', values.join(' ')) };
  globalThis.queueMicrotask = function queueMicrotask(callback) {
    enqueueMicrotask(callback);
  };
  return {
    hrefOf(value) {
      try {
        return apply(hrefGetter, value, []);
      } catch {
        return undefined;
      }
    },
  };
}

// Taken before the library loads: core-js replaces Function.prototype.toString so that its functions
// print as native code. The engine's own is faster and says what is there, so it is put back.

export const functionToString = Function.prototype.toString;

/** Undoes what core-js leaves on the realm besides the features it adds. */
export function cleanUp() {
  Object.defineProperty(Function.prototype, 'toString', {
    value: functionToString,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  delete globalThis['__core-js_shared__'];
}

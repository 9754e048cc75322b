// The realm's own functions, captured before any guest code runs. Everything that the prelude does
// later goes through these, so that a guest which patches a prototype changes only what it calls
// itself. `method(object, 'name')` turns a method into a function of its receiver.
//
// For the same reason the prelude's functions use no iteration protocol (for-of, spread of arrays,
// array destructuring) and no method of a guest's or of their own values.

export const {
  apply,
  construct,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  ownKeys,
} = Reflect;

function uncurry(fn) {
  return (self, ...args) => apply(fn, self, args);
}
const method = (object, name) => uncurry(object[name]);
const getter = (object, name) => uncurry(getOwnPropertyDescriptor(object, name).get);

const { hasOwnProperty } = Object.prototype;
export const hasOwn = (object, key) => apply(hasOwnProperty, object, [key]);
export const { is } = Object;
export const { isArray } = Array;
export const { isView } = globalThis.ArrayBuffer;
export const { toStringTag } = Symbol;
export const { floor, max, min, round, sqrt, trunc } = Math;
export const { stringify } = JSON;
export const { fromCharCode } = String;
export const {
  Array: ArrayConstructor,
  ArrayBuffer,
  DataView,
  Date: DateConstructor,
  Error: ErrorConstructor,
  Map: MapConstructor,
  Number: NumberConstructor,
  Object: ObjectConstructor,
  RangeError,
  RegExp: RegExpConstructor,
  Set: SetConstructor,
  TypeError,
  Uint8Array,
  Uint16Array,
  parseFloat,
  parseInt,
} = globalThis;

export const arrayJoin = method(Array.prototype, 'join');

export const stringCharCodeAt = method(String.prototype, 'charCodeAt');
export const stringEndsWith = method(String.prototype, 'endsWith');
export const stringIncludes = method(String.prototype, 'includes');
export const stringIndexOf = method(String.prototype, 'indexOf');
export const stringPadEnd = method(String.prototype, 'padEnd');
export const stringPadStart = method(String.prototype, 'padStart');
export const stringRepeat = method(String.prototype, 'repeat');
export const stringSlice = method(String.prototype, 'slice');
export const stringStartsWith = method(String.prototype, 'startsWith');
export const stringToLowerCase = method(String.prototype, 'toLowerCase');

export const numberToString = method(Number.prototype, 'toString');
export const numberToFixed = method(Number.prototype, 'toFixed');
export const numberValueOf = method(Number.prototype, 'valueOf');
export const stringValueOf = method(String.prototype, 'valueOf');
export const booleanValueOf = method(Boolean.prototype, 'valueOf');
export const bigintValueOf = method(BigInt.prototype, 'valueOf');
export const bigintToString = method(BigInt.prototype, 'toString');
export const symbolValueOf = method(Symbol.prototype, 'valueOf');
export const symbolToString = method(Symbol.prototype, 'toString');
export const dateGetTime = method(Date.prototype, 'getTime');
export const dateToISOString = method(Date.prototype, 'toISOString');

// The built-in exec looks nothing up on its receiver but lastIndex, which an unflagged literal ignores.
export const regexpExec = method(RegExp.prototype, 'exec');
export const regexpSource = getter(RegExp.prototype, 'source');
export const regexpFlagGetters = [
  { flag: 'd', get: getter(RegExp.prototype, 'hasIndices') },
  { flag: 'g', get: getter(RegExp.prototype, 'global') },
  { flag: 'i', get: getter(RegExp.prototype, 'ignoreCase') },
  { flag: 'm', get: getter(RegExp.prototype, 'multiline') },
  { flag: 's', get: getter(RegExp.prototype, 'dotAll') },
  { flag: 'u', get: getter(RegExp.prototype, 'unicode') },
  { flag: 'y', get: getter(RegExp.prototype, 'sticky') },
];
export const errorStack = getter(Error.prototype, 'stack');

export const mapSize = getter(Map.prototype, 'size');
export const mapGet = method(Map.prototype, 'get');
export const mapSet = method(Map.prototype, 'set');
export const mapHas = method(Map.prototype, 'has');
export const mapDelete = method(Map.prototype, 'delete');
export const mapEntries = method(Map.prototype, 'entries');
export const mapIteratorNext = method(getPrototypeOf(new Map().entries()), 'next');
export const setSize = getter(Set.prototype, 'size');
export const setAdd = method(Set.prototype, 'add');
export const setValues = method(Set.prototype, 'values');
export const setIteratorNext = method(getPrototypeOf(new Set().values()), 'next');

const typedArray = getPrototypeOf(Uint8Array.prototype);
export const typedArrayLength = getter(typedArray, 'length');
export const typedArrayBuffer = getter(typedArray, 'buffer');
export const typedArrayByteOffset = getter(typedArray, 'byteOffset');
export const typedArrayByteLength = getter(typedArray, 'byteLength');
export const typedArraySet = method(typedArray, 'set');
export const dataViewBuffer = getter(DataView.prototype, 'buffer');
export const dataViewByteOffset = getter(DataView.prototype, 'byteOffset');
export const dataViewByteLength = getter(DataView.prototype, 'byteLength');
export const bufferByteLength = getter(ArrayBuffer.prototype, 'byteLength');
export const bufferDetached = getter(ArrayBuffer.prototype, 'detached');

// structuredClone, by the standard's algorithm: what a value is made of is told by the engine's own
// class, never by what the value says of itself. Its getters run, as the standard has it.

import {
  ArrayBuffer, ArrayConstructor, DataView, DateConstructor, ErrorConstructor, MapConstructor, ObjectConstructor,
  RegExpConstructor, SetConstructor, Uint8Array, bigintValueOf, booleanValueOf, bufferByteLength, bufferDetached,
  construct, dataViewBuffer, dataViewByteLength, dataViewByteOffset, dateGetTime, defineProperty, errorStack,
  getOwnPropertyDescriptor, mapEntries, mapGet, mapHas, mapIteratorNext, mapSet, numberValueOf, ownKeys, regexpSource,
  setAdd, setIteratorNext, setValues, stringValueOf, typedArrayBuffer, typedArrayByteOffset, typedArrayLength,
  typedArraySet,
} from '../intrinsics.js';
import { defineHidden } from '../define.js';
import { DOMException, domExceptionName } from '../dom_exception.js';
import { append } from '../lists.js';
import { dataValue, regexpFlags } from '../values.js';

const {
  BigInt64Array, BigUint64Array, EvalError, Float32Array, Float64Array, Int16Array, Int32Array, Int8Array, RangeError,
  ReferenceError, SyntaxError, TypeError, URIError, Uint16Array, Uint32Array, Uint8ClampedArray,
} = globalThis;
const kTypedArrays = {
  __proto__: null, BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int16Array, Int32Array, Int8Array,
  Uint16Array, Uint32Array, Uint8Array, Uint8ClampedArray,
};
const kErrors = {
  __proto__: null, Error: ErrorConstructor, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
  // Become plain errors, as the standard names only the types above.
  AggregateError: ErrorConstructor, InternalError: RangeError,
};

function refuse(what) {
  throw new DOMException(`${what} could not be cloned`, 'DataCloneError');
}

function copyBuffer(buffer) {
  if (bufferDetached(buffer)) refuse('A detached ArrayBuffer');
  const copy = new ArrayBuffer(bufferByteLength(buffer));
  typedArraySet(new Uint8Array(copy), new Uint8Array(buffer));
  return copy;
}

function setProperty(object, key, value) {
  defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

/** One call: `copies` maps each object that was met to its copy, so that shapes and cycles survive. */
class Cloner {
  #className;
  #copies = new MapConstructor();

  constructor(className) {
    this.#className = className;
  }

  remember(original, copy) {
    mapSet(this.#copies, original, copy);
    return copy;
  }

  clone(value) {
    if (typeof value === 'symbol') refuse('A symbol');
    if (typeof value === 'function') refuse('A function');
    if (typeof value !== 'object' || value === null) return value;
    if (mapHas(this.#copies, value)) return mapGet(this.#copies, value);
    const kind = this.#className(value);
    if (kTypedArrays[kind] !== undefined) return this.#cloneTypedArray(value, kTypedArrays[kind]);
    if (kErrors[kind] !== undefined) return this.#cloneError(value, kErrors[kind]);
    return this.#cloneOther(value, kind);
  }

  #cloneOther(value, kind) {
    switch (kind) {
      case 'Boolean': return this.remember(value, ObjectConstructor(booleanValueOf(value)));
      case 'Number': return this.remember(value, ObjectConstructor(numberValueOf(value)));
      case 'String': return this.remember(value, ObjectConstructor(stringValueOf(value)));
      case 'BigInt': return this.remember(value, ObjectConstructor(bigintValueOf(value)));
      case 'Date': return this.remember(value, new DateConstructor(dateGetTime(value)));
      case 'RegExp': return this.remember(value, new RegExpConstructor(regexpSource(value), regexpFlags(value)));
      case 'ArrayBuffer': return this.remember(value, copyBuffer(value));
      case 'DataView': return this.#cloneDataView(value);
      case 'Map': return this.#cloneMap(value);
      case 'Set': return this.#cloneSet(value);
      case 'Array': return this.#cloneProperties(value, new ArrayConstructor(value.length));
      case 'Arguments':
      case 'Object': return this.#cloneProperties(value, {});
      default: return refuse(`A value of class ${kind}`);
    }
  }

  #cloneTypedArray(array, Constructor) {
    const buffer = this.clone(typedArrayBuffer(array));
    const parts = [buffer, typedArrayByteOffset(array), typedArrayLength(array)];
    return this.remember(array, construct(Constructor, parts));
  }

  #cloneDataView(view) {
    const buffer = this.clone(dataViewBuffer(view));
    return this.remember(view, new DataView(buffer, dataViewByteOffset(view), dataViewByteLength(view)));
  }

  // The entries are listed first: getters that run meanwhile may change the original.
  #cloneMap(map) {
    const entries = [];
    const iterator = mapEntries(map);
    for (let step = mapIteratorNext(iterator); !step.done; step = mapIteratorNext(iterator)) {
      append(entries, step.value);
    }
    const copy = this.remember(map, new MapConstructor());
    for (let i = 0; i < entries.length; i++) mapSet(copy, this.clone(entries[i][0]), this.clone(entries[i][1]));
    return copy;
  }

  #cloneSet(set) {
    const values = [];
    const iterator = setValues(set);
    for (let step = setIteratorNext(iterator); !step.done; step = setIteratorNext(iterator)) {
      append(values, step.value);
    }
    const copy = this.remember(set, new SetConstructor());
    for (let i = 0; i < values.length; i++) setAdd(copy, this.clone(values[i]));
    return copy;
  }

  #cloneError(error, Constructor) {
    const domName = domExceptionName(error);
    const message = dataValue(error, 'message');
    const text = message === undefined ? undefined : `${message}`;
    const copy = domName === undefined ? new Constructor(text) : new DOMException(text, domName);
    this.remember(error, copy);
    defineHidden(copy, 'stack', `${dataValue(error, 'stack') ?? errorStack(error)}`);
    if (getOwnPropertyDescriptor(error, 'cause') !== undefined) {
      defineHidden(copy, 'cause', this.clone(dataValue(error, 'cause')));
    }
    return copy;
  }

  #cloneProperties(object, copy) {
    this.remember(object, copy);
    const keys = ownKeys(object);
    for (let i = 0; i < keys.length; i++) {
      if (typeof keys[i] !== 'string' || getOwnPropertyDescriptor(object, keys[i])?.enumerable !== true) continue;
      setProperty(copy, keys[i], this.clone(object[keys[i]]));
    }
    return copy;
  }
}

export function makeStructuredClone({ className, detach }) {
  function checkedTransfer(transfer) {
    const buffers = transfer === undefined ? [] : [...transfer];
    for (let i = 0; i < buffers.length; i++) {
      const isBuffer = typeof buffers[i] === 'object' && buffers[i] !== null && className(buffers[i]) === 'ArrayBuffer';
      if (!isBuffer) throw new DOMException('Only an ArrayBuffer can be transferred', 'DataCloneError');
      for (let j = 0; j < i; j++) {
        if (buffers[j] === buffers[i]) throw new DOMException('A buffer is transferred twice', 'DataCloneError');
      }
    }
    return buffers;
  }

  return {
    structuredClone(value, options = undefined) {
      const buffers = checkedTransfer(options?.transfer);
      const cloner = new Cloner(className);
      for (let i = 0; i < buffers.length; i++) cloner.remember(buffers[i], copyBuffer(buffers[i]));
      const copy = cloner.clone(value);
      for (let i = 0; i < buffers.length; i++) if (!bufferDetached(buffers[i])) detach(buffers[i]);
      return copy;
    },
  };
}

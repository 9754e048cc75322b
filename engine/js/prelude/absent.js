// What the engine may offer and a guest does not get.

import { RangeError } from './intrinsics.js';
import { defineHidden } from './define.js';

const kAbsent = [
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'Debugger',
  'InternalError',
  'ReadableStream',
  'SharedArrayBuffer',
  'WebAssembly',
  'uneval',
];

export function removeAbsent() {
  disguiseInternalError();
  for (let i = 0; i < kAbsent.length; i++) delete globalThis[kAbsent[i]];
}

// The engine throws its own InternalError for a stack overflow. Programs know that as a RangeError.
function disguiseInternalError() {
  const { InternalError } = globalThis;
  if (InternalError === undefined) return;
  Object.setPrototypeOf(InternalError.prototype, RangeError.prototype);
  defineHidden(InternalError.prototype, 'name', 'RangeError');
  defineHidden(InternalError.prototype, 'constructor', RangeError);
}

// crypto.getRandomValues and crypto.randomUUID, from the system's generator.

import {
  TypeError, Uint8Array, numberToString, stringPadStart, typedArrayBuffer, typedArrayByteLength, typedArrayByteOffset,
} from '../intrinsics.js';
import { defineHidden, tag } from '../define.js';
import { DOMException } from '../dom_exception.js';

const kQuota = 65536;
const kIntegerArrays = {
  __proto__: null,
  Int8Array: true,
  Uint8Array: true,
  Uint8ClampedArray: true,
  Int16Array: true,
  Uint16Array: true,
  Int32Array: true,
  Uint32Array: true,
  BigInt64Array: true,
  BigUint64Array: true,
};

export function makeCrypto({ fillRandom, className }) {
  const isObject = (value) => typeof value === 'object' && value !== null;
  const functions = {
    getRandomValues(array) {
      if (!isObject(array)) throw new TypeError('getRandomValues: the argument must be an integer typed array');
      if (kIntegerArrays[className(array)] !== true) {
        throw new DOMException('getRandomValues: the argument must be an integer typed array', 'TypeMismatchError');
      }
      const length = typedArrayByteLength(array);
      if (length > kQuota) {
        const message = `getRandomValues: ${length} bytes exceed the ${kQuota} of one call`;
        throw new DOMException(message, 'QuotaExceededError');
      }
      if (length > 0) fillRandom(new Uint8Array(typedArrayBuffer(array), typedArrayByteOffset(array), length));
      return array;
    },

    randomUUID() {
      const bytes = new Uint8Array(16);
      fillRandom(bytes);
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      let text = '';
      for (let i = 0; i < 16; i++) {
        if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
        text += stringPadStart(numberToString(bytes[i], 16), 2, '0');
      }
      return text;
    },
  };
  const crypto = {};
  defineHidden(crypto, 'getRandomValues', functions.getRandomValues);
  defineHidden(crypto, 'randomUUID', functions.randomUUID);
  tag(crypto, 'Crypto');
  return crypto;
}

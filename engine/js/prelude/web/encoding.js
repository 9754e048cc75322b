// TextEncoder and TextDecoder. The decoder knows utf-8, utf-16le and windows-1252 (which is the
// standard's "latin1"); any other label is a RangeError.

import {
  ArrayBuffer, RangeError, TypeError, Uint8Array, bufferByteLength, dataViewBuffer, dataViewByteLength,
  dataViewByteOffset, isView, stringCharCodeAt, stringSlice, stringToLowerCase, typedArrayBuffer, typedArrayByteLength,
  typedArrayByteOffset, typedArrayLength, typedArraySet,
} from '../intrinsics.js';
import { nameClass } from '../define.js';
import { makeDecoders } from './decoders.js';

const kLabels = {
  'utf-8': ['unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'utf-8', 'utf8', 'x-unicode20utf8'],
  'utf-16le': ['csunicode', 'iso-10646-ucs-2', 'ucs-2', 'unicode', 'unicodefeff', 'utf-16', 'utf-16le'],
  'windows-1252': [
    'ansi_x3.4-1968', 'ascii', 'cp1252', 'cp819', 'csisolatin1', 'ibm819', 'iso-8859-1', 'iso-ir-100', 'iso8859-1',
    'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1', 'us-ascii', 'windows-1252', 'x-cp1252',
  ],
};
const encodingOfLabel = { __proto__: null };
for (const encoding in kLabels) {
  for (const label of kLabels[encoding]) encodingOfLabel[label] = encoding;
}

function trimmed(label) {
  const isSpace = (code) => code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);
  let start = 0;
  let end = label.length;
  while (start < end && isSpace(stringCharCodeAt(label, start))) start++;
  while (end > start && isSpace(stringCharCodeAt(label, end - 1))) end--;
  return stringSlice(label, start, end);
}

/** A Uint8Array over the bytes of a buffer or view; a TypeError for anything else. */
function bytesOf(source, className) {
  if (source === undefined) return new Uint8Array(0);
  const kind = typeof source === 'object' && source !== null ? className(source) : '';
  if (kind === 'ArrayBuffer') return new Uint8Array(source, 0, bufferByteLength(source));
  if (kind === 'DataView') {
    return new Uint8Array(dataViewBuffer(source), dataViewByteOffset(source), dataViewByteLength(source));
  }
  if (!isView(source)) throw new TypeError('TextDecoder.decode: the input must be a buffer or a view');
  return new Uint8Array(typedArrayBuffer(source), typedArrayByteOffset(source), typedArrayByteLength(source));
}

function joined(first, second) {
  if (typedArrayLength(first) === 0) return second;
  const all = new Uint8Array(typedArrayLength(first) + typedArrayLength(second));
  typedArraySet(all, first);
  typedArraySet(all, second, typedArrayLength(first));
  return all;
}

/** A copy of the last `count` bytes: the caller may change its buffer afterwards. */
function tailOf(bytes, count) {
  const tail = new Uint8Array(count);
  const start = typedArrayByteOffset(bytes) + typedArrayLength(bytes) - count;
  if (count > 0) typedArraySet(tail, new Uint8Array(typedArrayBuffer(bytes), start, count));
  return tail;
}

function makeTextDecoder(bindings) {
  const decoders = makeDecoders(bindings);
  const { className } = bindings;
  return class TextDecoder {
    #encoding;
    #fatal;
    #ignoreBom;
    #pending = new Uint8Array(0);
    #atStart = true;

    constructor(label = 'utf-8', options = undefined) {
      const encoding = encodingOfLabel[stringToLowerCase(trimmed(`${label}`))];
      if (encoding === undefined) {
        throw new RangeError(`TextDecoder: the encoding "${label}" is not supported (utf-8, utf-16le, latin1 are)`);
      }
      this.#encoding = encoding;
      this.#fatal = !!options?.fatal;
      this.#ignoreBom = !!options?.ignoreBOM;
    }

    get encoding() {
      return this.#encoding;
    }

    get fatal() {
      return this.#fatal;
    }

    get ignoreBOM() {
      return this.#ignoreBom;
    }

    decode(input = undefined, options = undefined) {
      const stream = !!options?.stream;
      const bytes = joined(this.#pending, bytesOf(input, className));
      this.#pending = new Uint8Array(0);
      let decoded;
      try {
        decoded = decoders[this.#encoding](bytes, this.#fatal, stream);
      } catch (error) {
        this.#atStart = true;
        throw error;
      }
      this.#pending = tailOf(bytes, decoded.rest);
      const text = this.#withoutBom(decoded.text);
      if (!stream) this.#atStart = true;
      return text;
    }

    #withoutBom(text) {
      if (!this.#atStart || text === '') return text;
      this.#atStart = false;
      const hasBom = !this.#ignoreBom && this.#encoding !== 'windows-1252' && stringCharCodeAt(text, 0) === 0xfeff;
      return hasBom ? stringSlice(text, 1) : text;
    }
  };
}

/** How many UTF-16 units the first `count` bytes of well-formed UTF-8 stand for. */
function unitsOf(bytes, count) {
  let units = 0;
  for (let i = 0; i < count; i++) {
    if ((bytes[i] & 0xc0) !== 0x80) units += bytes[i] >= 0xf0 ? 2 : 1;
  }
  return units;
}

function makeTextEncoder({ encodeUtf8, className }) {
  return class TextEncoder {
    // Only to tell genuine encoders from look-alikes.
    #encoding = 'utf-8';

    get encoding() {
      return this.#encoding;
    }

    encode(input = '') {
      this.#encoding;
      return encodeUtf8(`${input}`);
    }

    encodeInto(source, destination) {
      this.#encoding;
      const isObject = typeof destination === 'object' && destination !== null;
      if (!isObject || className(destination) !== 'Uint8Array') {
        throw new TypeError('TextEncoder.encodeInto: the destination must be a Uint8Array');
      }
      const room = typedArrayLength(destination);
      // A unit takes a byte at least, so no more than `room` of them can fit.
      const bytes = encodeUtf8(stringSlice(`${source}`, 0, room));
      let written = typedArrayLength(bytes);
      if (written > room) {
        written = room;
        while ((bytes[written] & 0xc0) === 0x80) written--;
      }
      typedArraySet(destination, new Uint8Array(typedArrayBuffer(bytes), typedArrayByteOffset(bytes), written));
      return { read: unitsOf(bytes, written), written };
    }
  };
}

export function makeTextCoders(bindings) {
  const TextEncoder = makeTextEncoder(bindings);
  const TextDecoder = makeTextDecoder(bindings);
  nameClass(TextEncoder, 'TextEncoder');
  nameClass(TextDecoder, 'TextDecoder');
  return { TextEncoder, TextDecoder };
}

// The encodings of TextDecoder, each a function (bytes, fatal, stream) -> { text, rest }: `rest` is
// how many trailing bytes wait for more, which only happens while streaming.

import {
  TypeError, Uint8Array, Uint16Array, apply, fromCharCode, min, stringCharCodeAt, typedArrayBuffer,
  typedArrayByteOffset, typedArrayLength,
} from '../intrinsics.js';
import { append } from '../lists.js';

const kChunk = 4096;

// Bytes 0x80 to 0x9f of windows-1252; all others are their own code points.
const kWindows1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

function textOf(units, length) {
  let text = '';
  for (let at = 0; at < length; at += kChunk) {
    // Not a typed array: `apply` would ask its prototype for the length.
    const part = [];
    for (let i = at; i < min(at + kChunk, length); i++) append(part, units[i]);
    text += apply(fromCharCode, undefined, part);
  }
  return text;
}

/** How many trailing bytes begin a UTF-8 sequence that is not complete yet. */
function incompleteUtf8(bytes) {
  const length = typedArrayLength(bytes);
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back];
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? back : 0;
  }
  return 0;
}

function decodeWindows1252(bytes) {
  const length = typedArrayLength(bytes);
  const units = new Uint16Array(length);
  for (let i = 0; i < length; i++) {
    const byte = bytes[i];
    units[i] = byte >= 0x80 && byte < 0xa0 ? stringCharCodeAt(kWindows1252, byte - 0x80) : byte;
  }
  return { text: textOf(units, length), rest: 0 };
}

function decodeUtf16(bytes, fatal, stream) {
  const length = typedArrayLength(bytes);
  const units = new Uint16Array((length >> 1) + 1);
  let count = 0;
  let at = 0;
  const unitAt = (i) => bytes[i] | (bytes[i + 1] << 8);
  const replace = () => {
    if (fatal) throw new TypeError('the encoded data is not valid utf-16le');
    units[count++] = 0xfffd;
  };
  while (at + 1 < length) {
    const unit = unitAt(at);
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && at + 3 >= length) break;
    at += 2;
    if (isHigh && (unitAt(at) & 0xfc00) === 0xdc00) {
      units[count++] = unit;
      units[count++] = unitAt(at);
      at += 2;
    } else if (unit >= 0xd800 && unit < 0xe000) {
      replace();
    } else {
      units[count++] = unit;
    }
  }
  if (at < length && !stream) {
    replace();
    at = length;
  }
  return { text: textOf(units, count), rest: length - at };
}

export function makeDecoders({ decodeUtf8 }) {
  return {
    __proto__: null,
    'utf-8'(bytes, fatal, stream) {
      const rest = stream ? incompleteUtf8(bytes) : 0;
      const length = typedArrayLength(bytes) - rest;
      const complete = new Uint8Array(typedArrayBuffer(bytes), typedArrayByteOffset(bytes), length);
      return { text: decodeUtf8(complete, fatal, true), rest };
    },
    'utf-16le': decodeUtf16,
    'windows-1252': decodeWindows1252,
  };
}

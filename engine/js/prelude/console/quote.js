// Strings as the console shows them inside other values.

import { numberToString, regexpExec, stringCharCodeAt, stringIncludes, stringSlice } from '../intrinsics.js';

const kEscapes = { __proto__: null, 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 92: '\\\\' };
const kDigits = '0123456789ABCDEF';

const isLow = (code) => code >= 0xdc00 && code <= 0xdfff;
const isHigh = (code) => code >= 0xd800 && code <= 0xdbff;
const isControl = (code) => code < 0x20 || (code >= 0x7f && code <= 0x9f);

/** The escape of the unit at `index`, or '' when it can stand for itself. */
function escapeAt(text, index, quote) {
  const code = stringCharCodeAt(text, index);
  if (kEscapes[code] !== undefined) return kEscapes[code];
  if (text[index] === quote) return `\\${quote}`;
  if (isControl(code)) return `\\x${kDigits[code >> 4]}${kDigits[code & 15]}`;
  const isLone =
    (isHigh(code) && !isLow(stringCharCodeAt(text, index + 1))) ||
    (isLow(code) && !isHigh(stringCharCodeAt(text, index - 1)));
  return isLone ? `\\u${numberToString(code, 16)}` : '';
}

/** Replaces what would garble a terminal or hide in the text. */
export function escapeText(text, quote = '') {
  if (regexpExec(/[\x00-\x1f\x7f-\x9f\\'"`\ud800-\udfff]/, text) === null) return text;
  let result = '';
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const escape = escapeAt(text, i, quote);
    if (escape === '') continue;
    result += stringSlice(text, start, i) + escape;
    start = i + 1;
  }
  return result + stringSlice(text, start);
}

/** In the first kind of quotes that needs no escape, single ones otherwise. */
export function quoteText(text) {
  let quote = "'";
  if (stringIncludes(text, "'")) {
    if (!stringIncludes(text, '"')) quote = '"';
    else if (!stringIncludes(text, '`') && !stringIncludes(text, '${')) quote = '`';
  }
  return quote + escapeText(text, quote) + quote;
}

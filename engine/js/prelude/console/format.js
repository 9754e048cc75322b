// The arguments of one console call as one text: printf-like directives, then everything else.

import {
  NumberConstructor, parseFloat, parseInt, stringIncludes, stringIndexOf, stringSlice, stringify,
} from '../intrinsics.js';
import { isObject } from '../values.js';
import { sourceOf } from './functions.js';
import { kMaxText, primitiveText } from './inspect.js';

function stringDirective(value, inspector) {
  if (typeof value === 'string') return value;
  if (typeof value === 'function' && !inspector.isProxy(value)) return sourceOf(value);
  return isObject(value) ? inspector.inspect(value, { depth: 0 }) : primitiveText(value);
}

function numberDirective(value, convert) {
  if (typeof value === 'bigint') return primitiveText(value);
  // Converting an object would run its code.
  return typeof value === 'symbol' || isObject(value) ? 'NaN' : primitiveText(convert(value));
}

function jsonDirective(value) {
  try {
    return `${stringify(value)}`;
  } catch {
    return '[unserializable]';
  }
}

/** The text for directive `letter`; undefined when there is no such directive. */
function directive(letter, value, inspector) {
  switch (letter) {
    case 's': return stringDirective(value, inspector);
    case 'd': return numberDirective(value, NumberConstructor);
    case 'i': return numberDirective(value, parseInt);
    case 'f': return numberDirective(value, parseFloat);
    case 'j': return jsonDirective(value);
    case 'o': return inspector.inspect(value, { depth: 4, showHidden: true });
    case 'O': return inspector.inspect(value);
    case 'c': return '';
    default: return undefined;
  }
}

/** Returns the text of values[0] with its directives replaced, and how many values went into it. */
function formatDirectives(values, inspector) {
  const template = values[0];
  let text = '';
  let used = 1;
  let start = 0;
  for (let at = stringIndexOf(template, '%'); at >= 0 && at + 1 < template.length; ) {
    const letter = template[at + 1];
    let end = at + 2;
    if (letter === '%') {
      text += stringSlice(template, start, at + 1);
      start = end;
    } else {
      const piece = used < values.length ? directive(letter, values[used], inspector) : undefined;
      if (piece === undefined) {
        end = at + 1;
      } else {
        text += stringSlice(template, start, at) + piece;
        start = end;
        used++;
      }
    }
    at = stringIndexOf(template, '%', end);
  }
  return { text: text + stringSlice(template, start), used };
}

export function formatValues(values, inspector) {
  let text = '';
  let next = 0;
  if (values.length > 1 && typeof values[0] === 'string' && stringIncludes(values[0], '%')) {
    ({ text, used: next } = formatDirectives(values, inspector));
  }
  for (; next < values.length && text.length <= kMaxText; next++) {
    if (next > 0) text += ' ';
    text += typeof values[next] === 'string' ? values[next] : inspector.inspect(values[next]);
  }
  return text;
}

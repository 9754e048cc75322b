// Errors as the console shows them: the header, then the engine's stack in the usual notation.

import {
  arrayJoin, errorStack, hasOwn, stringEndsWith, stringIncludes, stringIndexOf, stringRepeat, stringSlice,
  stringStartsWith,
} from '../intrinsics.js';
import { domExceptionName } from '../dom_exception.js';
import { append } from '../lists.js';
import { dataValue } from '../values.js';

/** The first data property of that name on the chain, if it holds a string. */
function inheritedText(facts, error, key) {
  for (let holder = error; holder !== null; holder = facts.prototypeOf(holder)) {
    const value = dataValue(holder, key);
    if (value !== undefined) return typeof value === 'string' ? value : undefined;
  }
  return undefined;
}

function nameOf(facts, error) {
  const domName = domExceptionName(error);
  if (domName !== undefined) return `DOMException [${domName}]`;
  const name = inheritedText(facts, error, 'name') ?? 'Error';
  const className = facts.constructorName(error);
  // A class that gives its errors no name of their own is shown by its own.
  const isNamed = hasOwn(error, 'name') || !stringEndsWith(name, 'Error');
  if (isNamed || className === null || className === name) return name;
  return stringIncludes(className, name) ? className : `${className} [${name}]`;
}

export function splitLines(text) {
  const lines = [];
  let start = 0;
  for (let end = stringIndexOf(text, '\n'); end >= 0; end = stringIndexOf(text, '\n', start)) {
    append(lines, stringSlice(text, start, end));
    start = end + 1;
  }
  append(lines, stringSlice(text, start));
  return lines;
}

/** One frame "f@file:1:2" of the engine as "    at f (file:1:2)". */
function frameText(line) {
  const at = stringIndexOf(line, '@');
  if (at < 0) return `    at ${line}`;
  let name = stringSlice(line, 0, at);
  const place = stringSlice(line, at + 1);
  // "async*f", "promise callback*f": how the engine marks what awaited this.
  const mark = stringIndexOf(name, '*');
  const isAsync = mark >= 0;
  if (isAsync) name = stringSlice(name, mark + 1);
  if (name === '') return `    at ${isAsync ? 'async ' : ''}${place}`;
  return `    at ${isAsync ? 'async ' : ''}${name} (${place})`;
}

/** The engine's stack text, without its first `skip` frames, in the usual notation. */
export function framesText(stack, skip = 0) {
  const lines = splitLines(stack);
  let text = '';
  for (let i = skip; i < lines.length; i++) if (lines[i] !== '') text += `\n${frameText(lines[i])}`;
  return text;
}

/** Header and stack, indented; in brackets when there is no stack. */
export function errorText(facts, error, indentation) {
  const name = nameOf(facts, error);
  const message = inheritedText(facts, error, 'message') ?? '';
  const header = message === '' ? name : `${name}: ${message}`;
  const own = dataValue(error, 'stack');
  let text;
  if (typeof own === 'string') {
    // Set by the program; one that is whole is taken as it is.
    text = stringStartsWith(own, name) || stringIncludes(own, '\n    at ') ? own : header + framesText(own);
  } else {
    text = header + framesText(errorStack(error) ?? '');
  }
  if (!stringIncludes(text, '\n    at ')) text = `[${text}]`;
  if (indentation === 0) return text;
  return arrayJoin(splitLines(text), `\n${stringRepeat(' ', indentation)}`);
}

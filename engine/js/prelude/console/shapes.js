// What each kind of object shows besides its properties. A shape is
//   name          what stands for the object below the depth limit, e.g. "[Object]"
//   base          text of its own, e.g. "[Function: f]" or an error's stack; may be empty
//   open, close   the brackets around what it contains
//   count         how many things it contains
//   items         (entries, inspection, depth) adds their texts
//   isList, alignRight                            for the layout
//   hidesProperties, hidesIndices, hides, shows   which of its own properties are shown

import {
  Uint8Array, bigintValueOf, booleanValueOf, bufferByteLength, bufferDetached, dataViewBuffer, dataViewByteLength,
  dataViewByteOffset, dateGetTime, dateToISOString, mapSize, min, numberToString, numberValueOf, regexpSource, setSize,
  stringPadStart, stringSlice, stringValueOf, symbolValueOf, typedArrayLength,
} from '../intrinsics.js';
import { append } from '../lists.js';
import { regexpFlags } from '../values.js';
import { addElements, addMapEntries, addSetValues, addTypedElements, plural } from './collections.js';
import { errorText } from './errors.js';
import { prefixOf } from './facts.js';
import { functionText } from './functions.js';
import { webShape } from './web_shapes.js';

// The own properties of longer lists are not looked for: listing them would list every element.
const kLongList = 10000;
const kMaxBufferBytes = 100;

/** Brackets with the class before them; `isPlain` kinds are shown without their usual class. */
function container(who, rest, { size = '', open = '{', close = '}', isPlain = false } = {}) {
  const own = stringSlice(prefixOf(who.constructorName, who.tag, who.kind), 0, -1);
  const name = who.constructorName === null ? own : `[${own}]`;
  const isUsual = isPlain && who.constructorName === who.kind && who.tag === '';
  const prefix = isUsual ? '' : prefixOf(who.constructorName, who.tag, who.kind, size);
  return { __proto__: null, name, base: '', open: `${prefix}${open}`, close, count: 0, ...rest };
}

function leaf(base, rest) {
  return { __proto__: null, name: '', base, open: '{', close: '}', count: 0, ...rest };
}

/** A value that is written as it is, with its class before it unless that is the usual one. */
function classed(who, text) {
  const isUsual = who.constructorName === who.kind && who.tag === '';
  return leaf(isUsual ? text : `${prefixOf(who.constructorName, who.tag, who.kind)}${text}`);
}

function boxed(who, primitive, inspection) {
  const of = who.constructorName === who.kind ? '' : ` (${who.constructorName ?? 'null prototype'})`;
  return leaf(`[${who.kind}${of}: ${inspection.text(primitive, 0)}]`, { hidesIndices: true });
}

function errorShape(error, who, inspection) {
  const hides = ['name', 'message', 'stack', 'fileName', 'lineNumber', 'columnNumber'];
  return leaf(errorText(inspection.facts, error, inspection.indentation), { hides, shows: ['cause', 'errors'] });
}

function arrayShape(array, who) {
  const isLong = array.length > kLongList;
  return container(
    who,
    {
      isList: true,
      count: array.length,
      hidesIndices: true,
      hidesProperties: isLong,
      items(entries, inspection, depth) {
        this.alignRight = addElements(array, entries, inspection, depth);
      },
    },
    { size: `(${array.length})`, open: '[', close: ']', isPlain: true },
  );
}

function typedArrayShape(array, who) {
  const length = typedArrayLength(array);
  return container(
    who,
    {
      isList: true,
      alignRight: true,
      count: length,
      hidesIndices: true,
      hidesProperties: length > kLongList,
      items(entries, inspection, depth) {
        addTypedElements(array, entries, inspection, depth);
      },
    },
    { size: `(${length})`, open: '[', close: ']' },
  );
}

function mapShape(map, who) {
  const count = mapSize(map);
  const items = (entries, inspection, depth) => addMapEntries(map, entries, inspection, depth);
  return container(who, { count, items }, { size: `(${count})` });
}

function setShape(set, who) {
  const count = setSize(set);
  const items = (entries, inspection, depth) => addSetValues(set, entries, inspection, depth);
  return container(who, { count, items }, { size: `(${count})` });
}

function bufferShape(buffer, who) {
  const items = (entries) => {
    const length = bufferByteLength(buffer);
    if (bufferDetached(buffer)) {
      append(entries, '(detached)');
    } else {
      const bytes = new Uint8Array(buffer, 0, min(length, kMaxBufferBytes));
      let text = '';
      for (let i = 0; i < typedArrayLength(bytes); i++) {
        text += `${i > 0 ? ' ' : ''}${stringPadStart(numberToString(bytes[i], 16), 2, '0')}`;
      }
      if (length > kMaxBufferBytes) text += ` ... ${plural(length - kMaxBufferBytes, 'more byte')}`;
      append(entries, `[Uint8Contents]: <${text}>`);
    }
    append(entries, `byteLength: ${length}`);
  };
  return container(who, { count: 1, items });
}

function dataViewShape(view, who) {
  const items = (entries, inspection, depth) => {
    append(entries, `byteLength: ${dataViewByteLength(view)}`);
    append(entries, `byteOffset: ${dataViewByteOffset(view)}`);
    append(entries, `buffer: ${inspection.inner(dataViewBuffer(view), depth)}`);
  };
  return container(who, { count: 1, items });
}

function promiseShape(promise, who) {
  const items = (entries, inspection, depth) => {
    const { state, result } = inspection.facts.promiseState(promise);
    if (state === 'pending') append(entries, '<pending>');
    else append(entries, `${state === 'rejected' ? '<rejected> ' : ''}${inspection.inner(result, depth)}`);
  };
  return container(who, { count: 1, items });
}

function weakShape(weak, who) {
  return container(who, { count: 1, items: (entries) => append(entries, '<items unknown>') });
}

function dateShape(date, who) {
  return classed(who, dateGetTime(date) === dateGetTime(date) ? dateToISOString(date) : 'Invalid Date');
}

const kShapes = {
  __proto__: null,
  Array: arrayShape,
  ArrayBuffer: bufferShape,
  BigInt: (value, who, inspection) => boxed(who, bigintValueOf(value), inspection),
  Boolean: (value, who, inspection) => boxed(who, booleanValueOf(value), inspection),
  DataView: dataViewShape,
  Date: dateShape,
  Function: (fn, who, inspection) => leaf(functionText(fn, who, inspection.facts)),
  Map: mapShape,
  Number: (value, who, inspection) => boxed(who, numberValueOf(value), inspection),
  Promise: promiseShape,
  RegExp: (regexp, who) => classed(who, `/${regexpSource(regexp)}/${regexpFlags(regexp)}`),
  Set: setShape,
  String: (value, who, inspection) => boxed(who, stringValueOf(value), inspection),
  Symbol: (value, who, inspection) => boxed(who, symbolValueOf(value), inspection),
  WeakMap: weakShape,
  WeakSet: weakShape,
};
for (const kind of [
  'BigInt64Array', 'BigUint64Array', 'Float32Array', 'Float64Array', 'Int16Array', 'Int32Array', 'Int8Array',
  'Uint16Array', 'Uint32Array', 'Uint8Array', 'Uint8ClampedArray',
]) {
  kShapes[kind] = typedArrayShape;
}
for (const kind of [
  'AggregateError', 'Error', 'EvalError', 'InternalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError',
  'URIError',
]) {
  kShapes[kind] = errorShape;
}

function objectShape(object, who) {
  if (who.kind === 'Arguments') return container({ ...who, constructorName: '[Arguments]', tag: '' });
  // All other classes of the engine are known by their constructor or tag.
  return container({ ...who, kind: who.kind === 'Module' ? who.kind : 'Object' }, undefined, { isPlain: true });
}

/** `object` is no proxy. */
export function shapeOf(inspection, object) {
  const { facts } = inspection;
  const kind = typeof object === 'function' ? 'Function' : facts.classOf(object);
  const constructorName = facts.constructorName(object);
  const tag = facts.tagOf(object);
  const who = { kind, constructorName, tag: tag === constructorName ? '' : tag };
  const make = kShapes[kind];
  if (make !== undefined) return make(object, who, inspection);
  return webShape(object, who, facts) ?? objectShape(object, who);
}

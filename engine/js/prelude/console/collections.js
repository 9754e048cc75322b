// The contents of arrays, typed arrays, maps and sets as texts, no more of them than the inspection shows.

import {
  hasOwn, mapEntries, mapIteratorNext, mapSize, min, ownKeys, setIteratorNext, setSize, setValues, typedArrayLength,
} from '../intrinsics.js';
import { append } from '../lists.js';
import { dataValue } from '../values.js';

export const plural = (count, noun) => `${count} ${noun}${count > 1 ? 's' : ''}`;

function addRest(entries, rest) {
  if (rest > 0) append(entries, `... ${plural(rest, 'more item')}`);
}

/** The own indices of an array, ascending. */
function indicesOf(array) {
  const keys = ownKeys(array);
  const indices = [];
  for (let i = 0; i < keys.length && typeof keys[i] === 'string'; i++) {
    const index = +keys[i];
    if (!(index < array.length) || `${index}` !== keys[i]) break;
    append(indices, index);
  }
  return indices;
}

/** Adds elements and runs of holes; returns whether all elements shown are numbers. */
export function addElements(array, entries, inspection, depth) {
  const { length } = array;
  let areNumbers = true;
  let indices = null;
  let at = 0;
  let next = 0;
  while (next < length && entries.length < inspection.maxItems && !inspection.isFull) {
    if (hasOwn(array, next)) {
      const type = typeof dataValue(array, next);
      areNumbers = areNumbers && (type === 'number' || type === 'bigint');
      append(entries, inspection.property(array, next, depth));
      next++;
    } else {
      indices ??= indicesOf(array);
      while (at < indices.length && indices[at] < next) at++;
      const end = at < indices.length ? indices[at] : length;
      append(entries, `<${plural(end - next, 'empty item')}>`);
      areNumbers = false;
      next = end;
    }
  }
  addRest(entries, length - next);
  return areNumbers;
}

export function addTypedElements(array, entries, inspection, depth) {
  const length = typedArrayLength(array);
  const shown = min(length, inspection.maxItems);
  for (let i = 0; i < shown; i++) append(entries, inspection.inner(array[i], depth));
  addRest(entries, length - shown);
}

export function addMapEntries(map, entries, inspection, depth) {
  const iterator = mapEntries(map);
  const shown = min(mapSize(map), inspection.maxItems);
  let i = 0;
  for (; i < shown && !inspection.isFull; i++) {
    const entry = mapIteratorNext(iterator).value;
    append(entries, `${inspection.inner(entry[0], depth)} => ${inspection.inner(entry[1], depth)}`);
  }
  addRest(entries, mapSize(map) - i);
}

export function addSetValues(set, entries, inspection, depth) {
  const iterator = setValues(set);
  const shown = min(setSize(set), inspection.maxItems);
  let i = 0;
  for (; i < shown && !inspection.isFull; i++) {
    append(entries, inspection.inner(setIteratorNext(iterator).value, depth));
  }
  addRest(entries, setSize(set) - i);
}

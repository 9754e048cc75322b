// Values as text, in the look of Node's util.inspect. Runs no code of the guest: no getter, no trap, no
// toString. Work and output are bounded: depth, items of a list, properties, length of the text.

import {
  bigintToString, getOwnPropertyDescriptor, hasOwn, is, min, numberToString, ownKeys, regexpExec, stringRepeat,
  stringSlice, symbolToString,
} from '../intrinsics.js';
import { append, contains } from '../lists.js';
import { isObject } from '../values.js';
import { splitLines } from './errors.js';
import { Facts } from './facts.js';
import { layOut } from './layout.js';
import { escapeText, quoteText } from './quote.js';
import { shapeOf } from './shapes.js';

/** UTF-16 units that one console call may print. */
export const kMaxText = 256 * 1024;
const kMaxDepth = 64;
const kMaxProperties = 10000;
const kMaxString = 10000;
const kMinSplitString = 16;

/** Anything but an object and a string. */
export function primitiveText(value) {
  switch (typeof value) {
    case 'number': return is(value, -0) ? '-0' : numberToString(value, 10);
    case 'bigint': return `${bigintToString(value, 10)}n`;
    case 'symbol': return escapeText(symbolToString(value));
    default: return `${value}`;
  }
}

/** What stands for a property that has no value of its own. */
export function accessorText(descriptor) {
  if (descriptor.get === undefined) return '[Setter]';
  return descriptor.set === undefined ? '[Getter]' : '[Getter/Setter]';
}

function keyText(key, isEnumerable) {
  if (typeof key === 'symbol') return `[${primitiveText(key)}]`;
  if (key === '__proto__') return "['__proto__']";
  if (!isEnumerable) return `[${escapeText(key)}]`;
  return regexpExec(/^[a-zA-Z_][a-zA-Z_0-9]*$/, key) === null ? quoteText(key) : key;
}

function isIndex(key) {
  return typeof key === 'string' && key.length <= 10 && regexpExec(/^(?:0|[1-9][0-9]*)$/, key) !== null;
}

/** One rendering: what was met on the way down, where the text stands, and how much may follow. */
export class Inspection {
  #showHidden;
  #maxDepth;
  #lineWidth;
  #left = kMaxText;
  #path = [];
  #circular = [];
  #deepest = 0;
  #indentation = 0;

  constructor(facts, { depth = 2, showHidden = false, maxItems = 100, lineWidth = 80 }) {
    this.facts = facts;
    this.maxItems = maxItems;
    this.#showHidden = showHidden;
    this.#maxDepth = min(depth, kMaxDepth);
    this.#lineWidth = lineWidth;
  }

  get indentation() {
    return this.#indentation;
  }

  get isFull() {
    return this.#left <= 0;
  }

  /** The text of `value`, which lies `depth` levels below the value that is shown. */
  text(value, depth) {
    if (this.isFull) return '...';
    if (isObject(value)) return this.#objectText(value, depth);
    return this.#charge(typeof value === 'string' ? this.#stringText(value) : primitiveText(value));
  }

  /** The same, two columns further in: for what stands inside brackets. */
  inner(value, depth) {
    this.#indentation += 2;
    const text = this.text(value, depth);
    this.#indentation -= 2;
    return text;
  }

  #charge(text) {
    this.#left -= text.length + 1;
    return text;
  }

  #stringText(value) {
    let text = value;
    let trailer = '';
    if (text.length > kMaxString) {
      const rest = text.length - kMaxString;
      text = stringSlice(text, 0, kMaxString);
      trailer = `... ${rest} more character${rest > 1 ? 's' : ''}`;
    }
    const room = this.#lineWidth - this.#indentation - 4;
    if (text.length <= kMinSplitString || text.length <= room) return quoteText(text) + trailer;
    const lines = splitLines(text);
    let result = '';
    for (let i = 0; i < lines.length; i++) {
      const isLast = i === lines.length - 1;
      if (isLast && lines[i] === '') break;
      if (i > 0) result += ` +\n${stringRepeat(' ', this.#indentation + 2)}`;
      result += quoteText(isLast ? lines[i] : `${lines[i]}\n`);
    }
    return result + trailer;
  }

  #objectText(value, depth) {
    const target = this.facts.unwrap(value);
    if (target === null) return '<Revoked Proxy>';
    if (contains(this.#path, target)) return this.#charge(`[Circular *${this.#reference(target)}]`);
    const shape = shapeOf(this, target);
    const keys = this.#keysOf(target, shape);
    this.#charge(shape.base);
    const isEmpty = shape.count === 0 && keys.length === 0;
    if (isEmpty && shape.base === '') return this.#charge(shape.open + shape.close);
    if (isEmpty || (depth > this.#maxDepth && shape.base !== '')) return shape.base;
    if (depth > this.#maxDepth) return this.#charge(shape.name);

    append(this.#path, target);
    this.#deepest = depth;
    const entries = [];
    if (shape.items !== undefined) shape.items(entries, this, depth + 1);
    for (let i = 0; i < keys.length && !this.isFull; i++) {
      append(entries, this.#propertyText(target, keys[i], depth + 1));
    }
    this.#path.length--;
    if (contains(this.#circular, target)) {
      const mark = `<ref *${this.#reference(target)}>`;
      shape.base = shape.base === '' ? mark : `${mark} ${shape.base}`;
    }
    shape.alignRight = shape.alignRight === true && keys.length === 0;
    shape.hasRest = entries.length > this.maxItems;
    return layOut(entries, shape, this.#deepest - depth, this.#indentation, this.#lineWidth);
  }

  /** The number by which the text refers to an object that contains itself. */
  #reference(target) {
    for (let i = 0; i < this.#circular.length; i++) if (this.#circular[i] === target) return i + 1;
    append(this.#circular, target);
    return this.#circular.length;
  }

  #keysOf(target, shape) {
    const keys = [];
    if (shape.hidesProperties) return keys;
    const all = ownKeys(target);
    for (let i = 0; i < all.length && keys.length < kMaxProperties; i++) {
      if (shape.hidesIndices && isIndex(all[i])) continue;
      if (shape.hides !== undefined && contains(shape.hides, all[i])) continue;
      if (this.#showHidden || this.#isEnumerable(target, all[i])) append(keys, all[i]);
    }
    for (let i = 0; shape.shows !== undefined && i < shape.shows.length; i++) {
      if (hasOwn(target, shape.shows[i]) && !contains(keys, shape.shows[i])) append(keys, shape.shows[i]);
    }
    return keys;
  }

  #isEnumerable(target, key) {
    try {
      return getOwnPropertyDescriptor(target, key)?.enumerable === true;
    } catch {
      // A module's binding that has no value yet.
      return true;
    }
  }

  #propertyText(target, key, depth) {
    const name = this.#charge(keyText(key, this.#isEnumerable(target, key)));
    return `${name}: ${this.property(target, key, depth)}`;
  }

  /** The text of an own property's value; of an accessor only that it is one. */
  property(target, key, depth) {
    let descriptor;
    try {
      descriptor = getOwnPropertyDescriptor(target, key);
    } catch {
      return '<uninitialized>';
    }
    return hasOwn(descriptor, 'value') ? this.inner(descriptor.value, depth) : accessorText(descriptor);
  }
}

export class Inspector {
  constructor(bindings) {
    this.facts = new Facts(bindings);
  }

  isProxy(object) {
    return this.facts.unwrap(object) !== object;
  }

  /** Options: depth, showHidden, maxItems, lineWidth. */
  inspect(value, options = {}) {
    return new Inspection(this.facts, options).text(value, 0);
  }
}

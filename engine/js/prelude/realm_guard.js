// The realm as it was before the guest ran, to be put back and held while tests judge the guest
// (engine/script/realm_guard.h does so).
//
// A program that is tested could patch what the tests rely on. So before they run, every built-in
// object is made what it was, and cannot be changed until they are over. What a program adds to
// built-in objects stays, unless it would take part in what other code does without naming it.

import { TypeError, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, is, ownKeys } from './intrinsics.js';
import { append } from './lists.js';
import { isObject } from './values.js';

const { deleteProperty, setPrototypeOf } = Reflect;
const { freeze } = Object;

// What tests replace themselves, to watch or to steer what they test: put back, but not held.
const kReplaceableGlobals = {
  __proto__: null,
  Date: true, clearInterval: true, clearTimeout: true, console: true, crypto: true, performance: true,
  queueMicrotask: true, setInterval: true, setTimeout: true,
};
const isReplaceable = (object) =>
  object === Date || object === console || object === crypto || object === performance;
// Held property by property, since one of them is replaceable or others may be added (assert sets
// Error.stackTraceLimit).
const isPartlyReplaceable = (object) => object === globalThis || object === Math || object === Error;
const isReplaceableKey = (object, key) =>
  (object === Math && key === 'random') || (object === globalThis && kReplaceableGlobals[key] === true);

const wellKnownSymbols = { __proto__: null };
for (const name of ownKeys(Symbol)) if (typeof Symbol[name] === 'symbol') wellKnownSymbols[Symbol[name]] = true;
const descriptorFields = {
  __proto__: null, configurable: true, enumerable: true, get: true, set: true, value: true, writable: true,
};

// Objects that get a property of this name by assignment, though they inherit one that is held:
// without help the assignment would fail.
const kOftenAssigned = { __proto__: null, message: true, name: true, toString: true, valueOf: true };

const isFunction = (value) => typeof value === 'function';

// A data property that reads as before, and that an inheriting object can still define for itself.
function overridable(holder, key, { value, enumerable }) {
  return {
    __proto__: null,
    get() {
      return value;
    },
    set(own) {
      if (this === holder || !isObject(this)) throw new TypeError('cannot change a built-in object while tests run');
      defineProperty(this, key, { __proto__: null, value: own, writable: true, enumerable: true, configurable: true });
    },
    enumerable,
    configurable: false,
  };
}

function cleanDescriptor(object, key) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  setPrototypeOf(descriptor, null);
  return descriptor;
}

// Everything that can be reached from the global object. Functions that construct nothing are
// frozen at once: nobody has a reason to change one, and a `call` of its own would fool its users.
function findHolders() {
  const seen = new Set();
  const found = [];
  const visit = (value) => {
    if (!isObject(value) || seen.has(value)) return;
    seen.add(value);
    found.push(value);
    visit(getPrototypeOf(value));
    for (const key of ownKeys(value)) {
      const descriptor = getOwnPropertyDescriptor(value, key);
      visit(descriptor.value);
      visit(descriptor.get);
      visit(descriptor.set);
    }
  };
  visit(globalThis);
  visit(getPrototypeOf(async function () {}));
  visit(getPrototypeOf(function* () {}));
  visit(getPrototypeOf(async function* () {}));
  for (const iterator of [[].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), ''.matchAll(/x/g)]) {
    visit(getPrototypeOf(iterator));
  }
  const isHolder = (value) => !isFunction(value) || hasOwn(value, 'prototype') || value === Function.prototype;
  for (const value of found) if (!isHolder(value)) freeze(value);
  return found.filter(isHolder);
}

// How a property is held: nothing when freezing its object is all.
function heldDescriptor(object, key, descriptor) {
  if (isReplaceableKey(object, key) || !descriptor.configurable || !hasOwn(descriptor, 'value')) return undefined;
  if (isPartlyReplaceable(object)) return { ...descriptor, __proto__: null, writable: false, configurable: false };
  if (isFunction(object) && object !== Function.prototype) return undefined;
  const isOften = object === Object.prototype || kOftenAssigned[key] === true ||
    (key === 'constructor' && getPrototypeOf(object) === Error.prototype);
  return isOften ? overridable(object, key, descriptor) : undefined;
}

function record(object) {
  const properties = [];
  const known = { __proto__: null };
  for (const key of ownKeys(object)) {
    const descriptor = cleanDescriptor(object, key);
    known[key] = true;
    append(properties, { __proto__: null, key, descriptor, held: heldDescriptor(object, key, descriptor) });
  }
  const inherited = { __proto__: null };
  for (let at = getPrototypeOf(object); at !== null; at = getPrototypeOf(at)) {
    for (const key of ownKeys(at)) inherited[key] = true;
  }
  return {
    __proto__: null,
    object,
    prototype: getPrototypeOf(object),
    properties,
    known,
    inherited,
    isGlobal: object === globalThis,
    isObjectPrototype: object === Object.prototype,
    isHeld: !isReplaceable(object),
    isFrozen: !isReplaceable(object) && !isPartlyReplaceable(object),
  };
}

function isUnchanged(object, { key, descriptor }) {
  const now = getOwnPropertyDescriptor(object, key);
  if (now === undefined) return false;
  if (!hasOwn(descriptor, 'value')) return now.get === descriptor.get && now.set === descriptor.set;
  return hasOwn(now, 'value') && is(now.value, descriptor.value);
}

const nameOf = (key) => (typeof key === 'symbol' ? 'a symbol' : `"${key}"`);

// What the language or JSON calls by itself once it is there, and what hides an inherited built-in.
function isIntrusive(entry, key) {
  if (entry.known[key] === true) return false;
  if (wellKnownSymbols[key] === true || key === 'toJSON' || key === 'then') return true;
  if (entry.isObjectPrototype && descriptorFields[key] === true) return true;
  return entry.inherited[key] === true;
}

// Makes an object what it was. Undefined, or what cannot be put back. Runs after guest code.
function repair(entry) {
  const { object, prototype, properties } = entry;
  if (getPrototypeOf(object) !== prototype && !setPrototypeOf(object, prototype)) return 'its prototype';
  for (let i = 0; i < properties.length; i++) {
    const property = properties[i];
    if (isUnchanged(object, property)) continue;
    if (!defineProperty(object, property.key, property.descriptor)) return nameOf(property.key);
  }
  const keys = ownKeys(object);
  if (entry.isGlobal || keys.length === properties.length) return undefined;
  for (let i = 0; i < keys.length; i++) {
    if (isIntrusive(entry, keys[i]) && !deleteProperty(object, keys[i])) return nameOf(keys[i]);
  }
  return undefined;
}

// The names whose values tests rely on, whatever the program calls by the same name.
function heldGlobals(global) {
  const names = [];
  const values = [];
  for (let i = 0; i < global.properties.length; i++) {
    const { key, descriptor, held } = global.properties[i];
    if (typeof key !== 'string' || key === 'eval' || (held === undefined && descriptor.configurable)) continue;
    append(names, key);
    append(values, descriptor.value);
  }
  return { names, values };
}

/** To be made when the realm is complete. What it returns is for native code: see bindings.d.ts. */
export function makeRealmGuard() {
  const realm = [];
  for (const object of findHolders()) append(realm, record(object));
  return { realm, repair, heldGlobals: heldGlobals(realm[0]) };
}

/** Freezes `value` and all that its own properties lead to, and what functions construct. */
export function freezeDeeply(value) {
  const pending = [value];
  for (let i = 0; i < pending.length; i++) {
    const object = pending[i];
    if (!isObject(object) || Object.isFrozen(object)) continue;
    freeze(object);
    for (const key of ownKeys(object)) append(pending, getOwnPropertyDescriptor(object, key).value);
  }
}

// How things are put on the realm: with the attributes that the standards give them.

import { defineProperty, ownKeys } from './intrinsics.js';

/** Writable, configurable, not enumerable; the descriptor inherits nothing. */
export function defineHidden(object, key, value) {
  defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

export function defineGlobals(values) {
  const names = ownKeys(values);
  for (let i = 0; i < names.length; i++) defineHidden(globalThis, names[i], values[names[i]]);
}

export function tag(object, name) {
  defineProperty(object, Symbol.toStringTag, {
    __proto__: null, value: name, writable: false, enumerable: false, configurable: true,
  });
}

/** Gives a class the name and tag that its guests see, whatever the bundler made of its name. */
export function nameClass(constructor, name) {
  defineProperty(constructor, 'name', {
    __proto__: null, value: name, writable: false, enumerable: false, configurable: true,
  });
  tag(constructor.prototype, name);
}

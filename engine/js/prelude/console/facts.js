// What the console needs to know of a value, found without running any code of the guest: proxies are
// looked through, accessors are not called.

import { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, toStringTag } from '../intrinsics.js';
import { dataValue, isObject } from '../values.js';

export class Facts {
  #proxyTarget;

  constructor({ className, promiseState, proxyTarget }) {
    /** The engine's own name for what an object is. */
    this.classOf = className;
    this.promiseState = promiseState;
    this.#proxyTarget = proxyTarget;
  }

  /** What stands behind any number of proxies; null when one of them is revoked. */
  unwrap(object) {
    let current = object;
    for (;;) {
      const target = this.#proxyTarget(current);
      if (target === undefined) return current;
      if (target === null) return null;
      current = target;
    }
  }

  /** The next object on the prototype chain, or null. `object` is no proxy. */
  prototypeOf(object) {
    const prototype = getPrototypeOf(object);
    return prototype === null ? null : this.unwrap(prototype);
  }

  inherits(object, prototype) {
    for (let next = this.prototypeOf(object); next !== null; next = this.prototypeOf(next)) {
      if (next === prototype) return true;
    }
    return false;
  }

  functionName(fn) {
    const target = this.unwrap(fn);
    const name = target === null ? undefined : dataValue(target, 'name');
    return typeof name === 'string' ? name : '';
  }

  /** The name of the class that made `object`; null when it has none. */
  constructorName(object) {
    for (let holder = object; holder !== null; holder = this.prototypeOf(holder)) {
      const constructor = dataValue(holder, 'constructor');
      if (typeof constructor !== 'function') continue;
      const name = this.functionName(constructor);
      if (name !== '' && this.#madeBy(object, constructor)) return name;
    }
    return null;
  }

  #madeBy(object, constructor) {
    const target = this.unwrap(constructor);
    const prototype = target === null ? undefined : dataValue(target, 'prototype');
    return isObject(prototype) && this.inherits(object, this.unwrap(prototype));
  }

  /** The value of Symbol.toStringTag, unless it is an own enumerable property, which is shown as one anyway. */
  tagOf(object) {
    for (let holder = object; holder !== null; holder = this.prototypeOf(holder)) {
      const descriptor = getOwnPropertyDescriptor(holder, toStringTag);
      if (descriptor === undefined) continue;
      if (holder === object && descriptor.enumerable) return '';
      return hasOwn(descriptor, 'value') && typeof descriptor.value === 'string' ? descriptor.value : '';
    }
    return '';
  }
}

/** "Foo(2) [tag] ", "[Map(2): null prototype] ", ...: what stands before the opening bracket. */
export function prefixOf(constructorName, tag, fallback, size = '') {
  const suffix = (name) => (tag !== '' && tag !== name ? `[${tag}] ` : '');
  if (constructorName === null) return `[${fallback}${size}: null prototype] ${suffix(fallback)}`;
  return `${constructorName}${size} ${suffix(constructorName)}`;
}

// Facts about values that can be had without running any code of theirs.

import { getOwnPropertyDescriptor, hasOwn, regexpFlagGetters } from './intrinsics.js';

/** The value of an own data property; undefined when there is none, or an accessor. No proxies. */
export function dataValue(object, key) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && hasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

export function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

export function regexpFlags(regexp) {
  let flags = '';
  for (let i = 0; i < regexpFlagGetters.length; i++) {
    if (regexpFlagGetters[i].get(regexp)) flags += regexpFlagGetters[i].flag;
  }
  return flags;
}

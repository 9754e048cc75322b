// What the prelude knows of the URL classes, through functions taken before any guest code.

import { apply, getOwnPropertyDescriptor } from '../intrinsics.js';

const { URL, URLSearchParams } = globalThis;
const kProperties = [
  'href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search',
  'searchParams', 'hash',
];
const getters = [];
for (let i = 0; i < kProperties.length; i++) {
  getters[i] = getOwnPropertyDescriptor(URL.prototype, kProperties[i]).get;
}
const { forEach } = URLSearchParams.prototype;

export const urlPrototype = URL.prototype;
export const searchParamsPrototype = URLSearchParams.prototype;

/** The href of a genuine URL; undefined for anything else. */
export function hrefOf(value) {
  try {
    const href = apply(getters[0], value, []);
    return typeof href === 'string' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** For console output: name and value of each part. Throws for what is no URL. */
export function urlProperties(url) {
  const properties = [];
  for (let i = 0; i < kProperties.length; i++) properties[i] = [kProperties[i], apply(getters[i], url, [])];
  return properties;
}

/** For console output: each pair. Throws for what is no URLSearchParams. */
export function searchParamsEntries(params) {
  const entries = [];
  apply(forEach, params, [
    (value, key) => {
      entries[entries.length] = [key, value];
    },
  ]);
  return entries;
}

// The library's own objects that keep their state inside: URL and URLSearchParams.

import { append } from '../lists.js';
import { searchParamsEntries, searchParamsPrototype, urlProperties, urlPrototype } from '../web/url.js';
import { quoteText } from './quote.js';

function webContainer(who, count, items) {
  const name = who.constructorName ?? 'Object';
  return { __proto__: null, name: `[${name}]`, base: '', open: `${name} {`, close: '}', count, items };
}

function urlShape(url, who) {
  const properties = urlProperties(url);
  return webContainer(who, properties.length, (entries, inspection, depth) => {
    for (let i = 0; i < properties.length; i++) {
      append(entries, `${properties[i][0]}: ${inspection.inner(properties[i][1], depth)}`);
    }
  });
}

function searchParamsShape(params, who) {
  const pairs = searchParamsEntries(params);
  return webContainer(who, pairs.length, (entries, inspection) => {
    for (let i = 0; i < pairs.length && !inspection.isFull; i++) {
      append(entries, `${quoteText(pairs[i][0])} => ${inspection.inner(pairs[i][1], 0)}`);
    }
  });
}

/** Undefined for what is no such object. */
export function webShape(object, who, facts) {
  try {
    if (facts.inherits(object, urlPrototype)) return urlShape(object, who);
    if (facts.inherits(object, searchParamsPrototype)) return searchParamsShape(object, who);
  } catch {
    // One that only inherits from the class.
  }
  return undefined;
}

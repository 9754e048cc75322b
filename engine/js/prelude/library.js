// The part of the standard library that SpiderMonkey 102 lacks, up to ES2025, with explicit resource
// management, decorator metadata and the web's URL, atob, btoa and DOMException. Each line is one
// feature; what the engine has itself is not listed, and proposals are not either.

import 'core-js/modules/es.array.find-last.js';
import 'core-js/modules/es.array.find-last-index.js';
import 'core-js/modules/es.array.from-async.js';
import 'core-js/modules/es.array.to-reversed.js';
import 'core-js/modules/es.array.to-sorted.js';
import 'core-js/modules/es.array.to-spliced.js';
import 'core-js/modules/es.array.with.js';
import 'core-js/modules/es.typed-array.find-last.js';
import 'core-js/modules/es.typed-array.find-last-index.js';
import 'core-js/modules/es.typed-array.to-reversed.js';
import 'core-js/modules/es.typed-array.to-sorted.js';
import 'core-js/modules/es.typed-array.with.js';

import 'core-js/modules/es.map.group-by.js';
import 'core-js/modules/es.object.group-by.js';
import 'core-js/modules/es.promise.try.js';
import 'core-js/modules/es.promise.with-resolvers.js';
import 'core-js/modules/es.regexp.escape.js';
import 'core-js/modules/es.string.is-well-formed.js';
import 'core-js/modules/es.string.to-well-formed.js';

import 'core-js/modules/es.set.difference.v2.js';
import 'core-js/modules/es.set.intersection.v2.js';
import 'core-js/modules/es.set.is-disjoint-from.v2.js';
import 'core-js/modules/es.set.is-subset-of.v2.js';
import 'core-js/modules/es.set.is-superset-of.v2.js';
import 'core-js/modules/es.set.symmetric-difference.v2.js';
import 'core-js/modules/es.set.union.v2.js';

import 'core-js/modules/es.iterator.constructor.js';
import 'core-js/modules/es.iterator.drop.js';
import 'core-js/modules/es.iterator.every.js';
import 'core-js/modules/es.iterator.filter.js';
import 'core-js/modules/es.iterator.find.js';
import 'core-js/modules/es.iterator.flat-map.js';
import 'core-js/modules/es.iterator.for-each.js';
import 'core-js/modules/es.iterator.from.js';
import 'core-js/modules/es.iterator.map.js';
import 'core-js/modules/es.iterator.reduce.js';
import 'core-js/modules/es.iterator.some.js';
import 'core-js/modules/es.iterator.take.js';
import 'core-js/modules/es.iterator.to-array.js';

import 'core-js/modules/es.math.f16round.js';
import 'core-js/modules/es.data-view.get-float16.js';
import 'core-js/modules/es.data-view.set-float16.js';
import 'core-js/modules/es.array-buffer.detached.js';

// `using` and decorators are lowered by the compiler to code that needs these.
import 'core-js/modules/es.symbol.dispose.js';
import 'core-js/modules/es.symbol.async-dispose.js';
import 'core-js/modules/es.suppressed-error.constructor.js';
import 'core-js/modules/es.disposable-stack.constructor.js';
import 'core-js/modules/es.async-disposable-stack.constructor.js';
import 'core-js/modules/es.iterator.dispose.js';
import 'core-js/modules/es.async-iterator.async-dispose.js';
import 'core-js/modules/esnext.symbol.metadata.js';
import 'core-js/modules/esnext.function.metadata.js';

import 'core-js/modules/web.atob.js';
import 'core-js/modules/web.btoa.js';
import 'core-js/modules/web.url.js';
import 'core-js/modules/web.url.can-parse.js';
import 'core-js/modules/web.url.parse.js';
import 'core-js/modules/web.url.to-json.js';
import 'core-js/modules/web.url-search-params.js';
import 'core-js/modules/web.url-search-params.delete.js';
import 'core-js/modules/web.url-search-params.has.js';
import 'core-js/modules/web.url-search-params.size.js';

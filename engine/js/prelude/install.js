// Gives the realm its globals. Runs once, before any guest code; what native code gives stays inside
// the closures made here.

import { removeAbsent } from './absent.js';
import { makeConsole } from './console/console.js';
import { Inspector } from './console/inspect.js';
import { defineGlobals } from './define.js';
import { DOMException } from './dom_exception.js';
import { cleanUp } from './pristine.js';
import { freezeDeeply, makeRealmGuard } from './realm_guard.js';
import { makeAbort } from './web/abort.js';
import { addTransfer } from './web/array_buffer.js';
import { makeCrypto } from './web/crypto.js';
import { makeTextCoders } from './web/encoding.js';
import { makePerformance } from './web/performance.js';
import { makeStructuredClone } from './web/structured_clone.js';
import { makeTimers } from './web/timers.js';
import { hrefOf } from './web/url.js';

export function install(bindings) {
  const inspector = new Inspector(bindings);
  cleanUp();
  removeAbsent();
  addTransfer(bindings);
  defineGlobals({
    __proto__: null,
    DOMException,
    // Made by the library, which leaves them enumerable.
    atob: globalThis.atob,
    btoa: globalThis.btoa,
    console: makeConsole(bindings, inspector),
    crypto: makeCrypto(bindings),
    performance: makePerformance(bindings),
    ...makeAbort(bindings),
    ...makeStructuredClone(bindings),
    ...makeTextCoders(bindings),
    ...makeTimers(bindings),
  });
  return { hrefOf, freezeDeeply, ...makeRealmGuard() };
}

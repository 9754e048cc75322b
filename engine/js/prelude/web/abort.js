// AbortController and AbortSignal.

import { RangeError, TypeError, apply, trunc } from '../intrinsics.js';
import { nameClass } from '../define.js';
import { DOMException } from '../dom_exception.js';
import { append, contains } from '../lists.js';
import { makeEventTarget } from './event_target.js';

const kMaxTimeout = 2 ** 53 - 1;
// Only code in this file can construct a signal.
const kToken = {};

function abortError() {
  return new DOMException('This operation was aborted', 'AbortError');
}

function toTimeout(value) {
  const ms = trunc(+value);
  if (!(ms >= 0 && ms <= kMaxTimeout)) throw new RangeError('AbortSignal.timeout: the delay must be milliseconds >= 0');
  return ms;
}

/** Returns the two classes. */
export function makeAbort({ startTimer, enqueueMicrotask }) {
  const { EventTarget, fire } = makeEventTarget((error) => {
    enqueueMicrotask(() => {
      throw error;
    });
  });

  class AbortSignal extends EventTarget {
    #aborted = false;
    #reason = undefined;
    #handler = null;
    #callsHandler = false;
    // The signals made by `any` that follow this one.
    #followers = [];
    // For a signal made by `any`: those that it follows, none of which follows another.
    #sources = null;

    constructor(token = undefined) {
      if (token !== kToken) throw new TypeError('Illegal constructor');
      super();
    }

    get aborted() {
      return this.#aborted;
    }

    get reason() {
      return this.#reason;
    }

    get onabort() {
      return this.#handler;
    }

    set onabort(handler) {
      this.#handler = typeof handler === 'function' ? handler : null;
      if (this.#callsHandler) return;
      this.#callsHandler = true;
      addEventListener(this, 'abort', (event) => {
        if (this.#handler !== null) apply(this.#handler, this, [event]);
      });
    }

    throwIfAborted() {
      if (this.#aborted) throw this.#reason;
    }

    static abort(reason = abortError()) {
      const signal = new AbortSignal(kToken);
      signal.#settle(reason);
      return signal;
    }

    static timeout(milliseconds) {
      const signal = new AbortSignal(kToken);
      const expire = () => signal.#abort(new DOMException('The operation timed out', 'TimeoutError'));
      startTimer(expire, toTimeout(milliseconds), false, []);
      return signal;
    }

    static any(signals) {
      const given = [...signals];
      const result = new AbortSignal(kToken);
      result.#sources = [];
      for (let i = 0; i < given.length; i++) {
        const isSignal = typeof given[i] === 'object' && given[i] !== null && #aborted in given[i];
        if (!isSignal) throw new TypeError('AbortSignal.any: each element must be an AbortSignal');
      }
      for (let i = 0; i < given.length; i++) {
        if (given[i].#aborted) {
          result.#settle(given[i].#reason);
          return result;
        }
      }
      for (let i = 0; i < given.length; i++) result.#follow(given[i].#sources ?? [given[i]]);
      return result;
    }

    static create() {
      return new AbortSignal(kToken);
    }

    static abortNow(signal, reason) {
      signal.#abort(reason);
    }

    #follow(sources) {
      for (let i = 0; i < sources.length; i++) {
        if (contains(this.#sources, sources[i])) continue;
        append(this.#sources, sources[i]);
        append(sources[i].#followers, this);
      }
    }

    #settle(reason) {
      this.#aborted = true;
      this.#reason = reason;
    }

    // All followers are aborted before the first listener runs, as the standard has it.
    #abort(reason) {
      if (this.#aborted) return;
      const fired = [this];
      this.#settle(reason);
      for (let i = 0; i < this.#followers.length; i++) {
        if (this.#followers[i].#aborted) continue;
        this.#followers[i].#settle(reason);
        append(fired, this.#followers[i]);
      }
      this.#followers = [];
      for (let i = 0; i < fired.length; i++) fire(fired[i], 'abort');
    }
  }
  const { create, abortNow } = AbortSignal;
  delete AbortSignal.create;
  delete AbortSignal.abortNow;
  const { addEventListener: listen } = EventTarget.prototype;
  const addEventListener = (target, type, listener) => apply(listen, target, [type, listener]);

  class AbortController {
    #signal = create();

    get signal() {
      return this.#signal;
    }

    abort(reason = abortError()) {
      abortNow(this.#signal, reason);
    }
  }
  nameClass(AbortSignal, 'AbortSignal');
  nameClass(AbortController, 'AbortController');
  return { AbortController, AbortSignal };
}

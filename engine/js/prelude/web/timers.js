// setTimeout and its kin, and queueMicrotask. Handlers are functions only: text is never compiled.

import { TypeError } from '../intrinsics.js';

function requireFunction(handler, name) {
  if (typeof handler !== 'function') throw new TypeError(`${name}: the first argument must be a function`);
}

// As browsers do: a 32-bit integer, and no less than zero.
function toDelay(value) {
  const delay = +value | 0;
  return delay > 0 ? delay : 0;
}

export function makeTimers({ startTimer, stopTimer, enqueueMicrotask }) {
  return {
    setTimeout(handler, delay = 0, ...args) {
      requireFunction(handler, 'setTimeout');
      return startTimer(handler, toDelay(delay), false, args);
    },
    setInterval(handler, delay = 0, ...args) {
      requireFunction(handler, 'setInterval');
      return startTimer(handler, toDelay(delay), true, args);
    },
    clearTimeout(id = 0) {
      stopTimer(+id | 0);
    },
    clearInterval(id = 0) {
      stopTimer(+id | 0);
    },
    queueMicrotask(callback) {
      requireFunction(callback, 'queueMicrotask');
      enqueueMicrotask(callback);
    },
  };
}

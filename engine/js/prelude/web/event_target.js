// The few parts of events that AbortSignal needs. Neither class is a global, and guests make no events.

import { TypeError, apply } from '../intrinsics.js';
import { nameClass } from '../define.js';
import { append, copyOf, removeAt } from '../lists.js';

class Event {
  #type;
  #target;

  constructor(type, target) {
    this.#type = type;
    this.#target = target;
  }

  get type() {
    return this.#type;
  }

  get target() {
    return this.#target;
  }

  get currentTarget() {
    return this.#target;
  }

  static typeOf(value) {
    return typeof value === 'object' && value !== null && #type in value ? value.#type : undefined;
  }
}
const eventType = Event.typeOf;
delete Event.typeOf;
nameClass(Event, 'Event');

function isListener(value) {
  return typeof value === 'function' || (typeof value === 'object' && value !== null);
}

/** `report` gets what a listener throws. Returns the class, and a function that fires a new event. */
export function makeEventTarget(report) {
  function call(listener, target, event) {
    try {
      if (typeof listener === 'function') apply(listener, target, [event]);
      else listener.handleEvent(event);
    } catch (error) {
      report(error);
    }
  }

  class EventTarget {
    // Entries { type, listener, once }, in the order in which they were added.
    #entries = [];

    addEventListener(type, listener, options = undefined) {
      this.#entries;
      const name = `${type}`;
      if (!isListener(listener)) {
        if (listener === null || listener === undefined) return;
        throw new TypeError('addEventListener: the listener must be a function or an object');
      }
      const once = typeof options === 'object' && options !== null && !!options.once;
      const signal = typeof options === 'object' && options !== null ? options.signal : undefined;
      if (signal?.aborted || this.#find(name, listener) >= 0) return;
      append(this.#entries, { type: name, listener, once });
      signal?.addEventListener('abort', () => this.removeEventListener(name, listener), { once: true });
    }

    removeEventListener(type, listener) {
      const at = this.#find(`${type}`, listener);
      if (at >= 0) removeAt(this.#entries, at);
    }

    dispatchEvent(event) {
      this.#entries;
      const type = eventType(event);
      if (type === undefined) throw new TypeError('dispatchEvent: the argument must be an event');
      this.#dispatch(type, event);
      return true;
    }

    #find(type, listener) {
      const entries = this.#entries;
      for (let i = 0; i < entries.length; i++) {
        if (entries[i].type === type && entries[i].listener === listener) return i;
      }
      return -1;
    }

    #dispatch(type, event) {
      const entries = copyOf(this.#entries);
      for (let i = 0; i < entries.length; i++) {
        const { listener, once } = entries[i];
        // A listener that an earlier one removed is not called.
        if (entries[i].type !== type || this.#find(type, listener) < 0) continue;
        if (once) removeAt(this.#entries, this.#find(type, listener));
        call(listener, this, event);
      }
    }

    static fire(target, type) {
      target.#dispatch(type, new Event(type, target));
    }
  }
  const { fire } = EventTarget;
  delete EventTarget.fire;
  nameClass(EventTarget, 'EventTarget');
  return { EventTarget, fire };
}

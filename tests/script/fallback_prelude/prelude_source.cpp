#include "prelude_source.h"

namespace cordon::engine {

std::string_view prelude_source() {
  return R"js(
(function install(native) {
  const { InternalError } = globalThis;
  Object.setPrototypeOf(InternalError.prototype, RangeError.prototype);
  InternalError.prototype.name = 'RangeError';
  InternalError.prototype.constructor = RangeError;
  delete globalThis.InternalError;

  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
  const console = {};
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    console[level] = (...args) => native.print(level, args.map(String).join(' '));
  }
  define('console', console);
  define('setTimeout', (f, ms = 0, ...args) => native.startTimer(f, +ms, false, args));
  define('setInterval', (f, ms = 0, ...args) => native.startTimer(f, +ms, true, args));
  define('clearTimeout', (id) => native.stopTimer(id));
  define('clearInterval', (id) => native.stopTimer(id));
  define('queueMicrotask', (f) => native.enqueueMicrotask(f));
  define('performance', { now: () => native.now() });
  define('crypto', { getRandomValues: (view) => (native.fillRandom(view), view) });
  define('TextEncoder', class { encode(text) { return native.encodeUtf8(text); } });
  define('TextDecoder', class {
    constructor(_, { fatal = false, ignoreBOM = false } = {}) { Object.assign(this, { fatal, ignoreBOM }); }
    decode(view) { return native.decodeUtf8(view, this.fatal, this.ignoreBOM); }
  });
  define('URL', class URL { #href; constructor(href) { this.#href = String(href); } static hrefOf(u) { return #href in u ? u.#href : undefined; } });
  const { hrefOf } = URL;
  delete URL.hrefOf;
  return { hrefOf };
})
)js";
}

}  // namespace cordon::engine

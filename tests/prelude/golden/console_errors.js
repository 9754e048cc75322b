// Errors: header, frames, own properties, causes.
const show = (...values) => console.log(...values);
class ValidationError extends Error {}
class Custom extends Error { constructor(m, code) { super(m); this.name = 'Named'; this.code = code; } }
class Odd extends Error {}
show(new Error('plain'));
show(new Error());
show(new ValidationError('v'));
show(new Odd('o'));
show(new Custom('n', 4));
show(Object.assign(new TypeError('t', { cause: new Error('c', { cause: 'root' }) }), { x: 1 }));
show(new AggregateError([new Error('1'), 2], 'agg'));
show({ nested: new RangeError('deep'), list: [new Error('in list')] });
const noStack = new Error('no stack'); noStack.stack = ''; show(noStack, [noStack]);
const ownStack = new Error('x'); ownStack.stack = 'Error: own text\n    at somewhere'; show(ownStack);
show(new DOMException('gone', 'AbortError'), AbortSignal.abort().reason.name);
function outer() { return inner(); }
function inner() { return new Error('multi\nline'); }
show(outer());
try { null.x; } catch (e) { show(e); }
const later = async () => { await null; throw new Error('async'); };
await later().catch(show);
show('%s|', new Error('s'), `${new Error('t')}`, Promise.reject(Object.assign(new Error('r'), { stack: '' })).catch(() => {}));
const rejected = Promise.reject(1); rejected.catch(() => {}); show(rejected);
const changed = new Error('before'); changed.message = 'after'; show(changed);
const named = new Error('m'); named.name = 'Renamed'; show(named);
show(Object.create(Error.prototype), Object.setPrototypeOf(new Error('bare'), null));
const thrower = new Error('x'); Object.defineProperty(thrower, 'message', { get() { throw 1; } }); show(thrower);
function overflow() { return overflow() + 1; }
try { overflow(); } catch (e) { show(e instanceof RangeError, e.name, e.message, e.constructor === RangeError, String(e)); }

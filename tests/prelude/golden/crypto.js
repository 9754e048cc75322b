// crypto: the types and sizes it takes, and the shape of a UUID. The test's generator counts 0, 1, 2, ...
const log = console.log;
const attempt = (f) => { try { return f(); } catch (e) { return `${e.name} ${e.code}: ${e.message}`; } };
const array = new Uint8Array(4);
log(crypto.getRandomValues(array) === array, array);
log(crypto.getRandomValues(new Uint16Array(2)), crypto.getRandomValues(new BigInt64Array(1)), crypto.getRandomValues(new Uint8ClampedArray(0)));
const part = new Uint8Array(6);
crypto.getRandomValues(part.subarray(2, 5));
log(part);
log(attempt(() => crypto.getRandomValues(new Float64Array(1))));
log(attempt(() => crypto.getRandomValues(new DataView(new ArrayBuffer(1)))));
log(attempt(() => crypto.getRandomValues([1])));
log(attempt(() => crypto.getRandomValues()));
log(attempt(() => crypto.getRandomValues({ [Symbol.toStringTag]: 'Uint8Array', length: 4 })));
log(attempt(() => crypto.getRandomValues(new Uint8Array(65536)).length), attempt(() => crypto.getRandomValues(new Uint8Array(65537))));
log(crypto.randomUUID(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()));
log(crypto.subtle, Object.prototype.toString.call(crypto));

// A rejection that is handled in time does not.
const rejected = Promise.reject(new RangeError('handled'));
await null;
await rejected.catch(() => console.log('caught'));

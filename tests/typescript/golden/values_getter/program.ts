// A getter that throws is an error.
export default () => ({ ok: 1, get bad(): number { throw new RangeError('from the getter'); } });

// What docs/runtime-library.md lists as missing fails as it says: loudly, and where it is used.

const outcome = (work: () => unknown): string => {
  try { return String(work()); } catch (error) { return (error as Error).name; }
};
const any = globalThis as any;

export default () => ({
  flagV: outcome(() => /[\p{L}--a]/v),
  modifiers: outcome(() => new RegExp('(?i:a)')),
  duplicateNames: outcome(() => new RegExp('(?<y>a)|(?<y>b)')),
  float16Array: outcome(() => new Float16Array(1)),
  atomics: outcome(() => Atomics),
  sharedArrayBuffer: outcome(() => SharedArrayBuffer),
  resizable: outcome(() => new ArrayBuffer(1, { maxByteLength: 2 }).resize(2)),
  weakSymbols: [outcome(() => new WeakMap().set(Symbol() as any, 1)), outcome(() => new WeakRef(Symbol() as any))],
  intl: [outcome(() => new Intl.Segmenter()), outcome(() => new any.Intl.DurationFormat())],
  later: [typeof any.Temporal, typeof any.Uint8Array.fromBase64, typeof any.Math.sumPrecise, typeof any.Error.isError, typeof any.Map.prototype.getOrInsert],
  v8: [typeof any.Error.captureStackTrace, any.Error.prepareStackTrace === undefined],
  node: [typeof any.process, typeof any.Buffer, typeof any.require, typeof any.setImmediate],
  legacyEvents: [typeof any.Event, typeof any.EventTarget],
  subtle: any.crypto.subtle === undefined,
});

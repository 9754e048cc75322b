// The guest's `assert`: one module text, built into the engine and for a host's list of modules.

export { default } from 'assert';
export {
  AssertionError, deepEqual, deepStrictEqual, doesNotMatch, doesNotReject, doesNotThrow, equal, fail, ifError, match,
  notDeepEqual, notDeepStrictEqual, notEqual, notStrictEqual, ok, rejects, strict, strictEqual, throws,
} from 'assert';

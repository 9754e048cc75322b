// A module is strict: `with` and octal literals are no TypeScript.
type A = string;
export default () => { with ({}) { return 1; } };

// A symbol is an error that names the path.
export default () => new Map([['key', [Symbol('no')]]]);

// A result over its limit is no result.
export default () => 'x'.repeat(2000);

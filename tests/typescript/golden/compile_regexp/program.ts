// A regular expression that no engine takes.
interface Gone { a: 1 }

export default () => /(unclosed/.test('x');

// A byte-order mark, a shebang, CRLF, escapes in names and astral text compile and keep their meaning.
export default [
  '\ufeff#!/usr/bin/env -S cordon run', 'enum \\u0041bc { V = 1 }', 'const 変数 = "😀", ñ = 2;', 'const lines = `a', 'b`;',
  'export default () => [Abc.V, 変数, \\u00f1, lines, "\\ud83d\\ude00" === 変数, `\\', '`];',
].join('\r\n');

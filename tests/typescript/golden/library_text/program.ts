// Regular expressions and strings.

const line = /^(?<key>\w+)\s*=\s*(?<value>.*?)(?:\s*#.*)?$/;
const price = /(?<=\$)\d+(?:\.\d\d)?(?!\d)/g;

export default () => ({
  groups: { ...line.exec('name = Ada Lovelace # first')!.groups },
  lookbehind: '$12.50 and €3 and $7'.match(price),
  negative: 'a1 b2 c3'.replace(/(?<!b)\d/g, '#'),
  named: '2024-03-01'.replace(/(?<y>\d+)-(?<m>\d+)-(?<d>\d+)/, '$<d>.$<m>.$<y>'),
  callback: 'x1y22'.replace(/\d+/g, (digits, offset) => `[${digits.length}@${offset}]`),
  all: [...'a=1;b=2'.matchAll(/(\w)=(\d)/g)].map(([, k, v]) => k + v),
  sticky: ((r: RegExp) => [r.test('foofoo'), r.lastIndex, r.test('foofoo'), r.test('foofoo')])(/foo/y),
  dotAll: /a.b/s.test('a\nb'),
  unicode: [/^\p{Script=Greek}+$/u.test('λόγος'), /^.$/u.test('😀'), /^.$/.test('😀'), '😀'.match(/\u{1F600}/u)!.index],
  indices: /(?<b>b+)/d.exec('abbc')!.indices!.groups!.b,
  flags: /x/dgimsuy.flags,
  escaped: RegExp.escape('1+1=2?'),
  escapes: new RegExp(RegExp.escape('a.b*c')).test('xa.b*cx'),
  split: 'a1b2c'.split(/(\d)/),
  backreference: /(?<q>['"]).*?\k<q>/.exec(`say "it's"`)![0],
  strings: {
    at: 'abc'.at(-1),
    pad: '7'.padStart(3, '0') + 'x'.padEnd(3, 'ab'),
    replaceAll: 'a.b.c'.replaceAll('.', '$&$&'),
    wellFormed: ['\ud800'.isWellFormed(), 'a\ud800b'.toWellFormed(), '😀'.isWellFormed()],
    normalised: ['é'.normalize('NFD').length, 'e\u0301'.normalize() === 'é'],
    code: ['😀'.codePointAt(0), String.fromCodePoint(0x1f600), [...'😀👍🏽'].length, '😀'.length],
    case: ['ǆ'.toUpperCase(), 'STRASSE'.toLowerCase(), 'ß'.toUpperCase(), 'İ'.toLowerCase().length],
    trim: `[${'\u00a0\t x \n\ufeff'.trim()}]`,
    raw: String.raw`\n${1}\u0041`,
    compare: ['b', 'a', 'ä', 'Z'].sort((x, y) => x.localeCompare(y)),
    repeat: 'ab'.repeat(3),
    search: ['abcabc'.lastIndexOf('b'), 'abc'.search(/c/), 'abc'.includes('bc', 2), 'abc'.startsWith('b', 1)],
    uri: [encodeURIComponent('ä /?'), decodeURIComponent('%E2%82%AC'), encodeURI('ä /?')],
  },
});

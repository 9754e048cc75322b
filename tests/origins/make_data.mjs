// usage: node make_data.mjs OUTPUT. Run where node_modules holds the packages of package.json.
//
// Writes a JSON list of {input, origin, rest}: what the reference implementation of the URL standard makes
// of each input as an absolute http or https URL, origin and rest (path and query) null where it is none.
//
// The inputs: those of the web platform tests, as they are and with http and https for their scheme; and
// URLs in which one place after the other holds each of many characters, where parsers tend to differ.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const require = createRequire(path.join(process.cwd(), 'x.js'));
const { URL } = require('whatwg-url');
const platform_tests = JSON.parse(readFileSync(
  path.join(process.cwd(), 'node_modules/@wordpress/url/src/test/fixtures/wpt-data.json'), 'utf8'));

function parsed(input) {
  let url;
  try {
    url = new URL(input);
  } catch {
    return null;
  }
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

// The tests and the implementation are of two hands: where they differ, neither can be relied on.
for (const { input, failure = false } of platform_tests) {
  let accepted = true;
  try {
    new URL(input);
  } catch {
    accepted = false;
  }
  if (accepted === failure) throw new Error(`the tests and the reference differ about ${input}`);
}

function* inputs() {
  for (const { input } of platform_tests) {
    yield input;
    yield input.replace(/^[a-z][a-z0-9+.-]*:/i, 'http:');
    yield input.replace(/^[a-z][a-z0-9+.-]*:/i, 'https:');
  }
  const characters = [];
  for (let code = 0; code < 128; code++) characters.push(String.fromCharCode(code));
  characters.push('\u0080', '\u00a0', '\u00ad', '\u00df', '\u00e9', '\u0130', '\u200b', '\u200d', '\u2024',
    '\u202e', '\u2028', '\u2044', '\u3002', '\ufe55', '\ufeff', '\uff0e', '\uff0f', '\uff11', '\uff1a',
    '\uff20', '\uff3c', '\ufffd', '\u{1d7d9}', '\u{1f600}');
  const codes = ['%00', '%09', '%20', '%25', '%2e', '%2F', '%3a', '%3F', '%40', '%41', '%5c', '%c3%a9', '%ef%bc%8e',
    '%zz', '%'];
  const words = ['..', '::', '@@', '//', '\\\\', '/../', '/./', ':80', ':443', ':0', ':00080', ':65535', ':65536',
    ':99999', ':8a', '127.0.0.1', '127.1', '0x7f', '017', '2130706433', '256', '1.2.3.4.5', '[::1]', '[::]',
    '[::ffff:127.0.0.1]', '[1:2:3:4:5:6:7:8]', '[fe80::1%25eth0]', 'xn--', 'xn--a', 'localhost', '.', '-'];
  const places = [
    (x) => `${x}http://a.example/p`, (x) => `ht${x}tp://a.example/p`, (x) => `http${x}://a.example/p`,
    (x) => `http:${x}//a.example/p`, (x) => `http:/${x}/a.example/p`, (x) => `http:${x}a.example/p`,
    (x) => `http:/${x}a.example/p`, (x) => `http://${x}`, (x) => `http://${x}/p`, (x) => `https://${x}a.example/p`,
    (x) => `http://a${x}b.example/p`, (x) => `http://a.example${x}/p`, (x) => `http://a.${x}/p`,
    (x) => `http://a.example${x}@b.example/p`, (x) => `http://${x}@b.example/p`, (x) => `http://u:${x}@b.example/p`,
    (x) => `http://a.example:${x}/p`, (x) => `http://a.example:8${x}0/p`, (x) => `http://127.0.0.${x}1/p`,
    (x) => `http://[::1${x}]/p`, (x) => `http://[::1]${x}/p`, (x) => `http://a.example/${x}`,
    (x) => `http://a.example/p${x}/../q`, (x) => `http://a.example/p/.${x}./q`, (x) => `http://a.example/?${x}`,
    (x) => `http://a.example?a${x}b`, (x) => `http://a.example/#${x}`, (x) => `http://a.example#${x}@b.example/`,
    (x) => `http://a.example/p${x}`, (x) => `http://a.example/p?q${x}#f`,
  ];
  for (const place of places) for (const x of ['', ...characters, ...codes, ...words]) yield place(x);
}

const data = [...new Set(inputs())].filter((input) => input.isWellFormed?.() ?? !/\p{Surrogate}/u.test(input))
  .map((input) => {
    const url = parsed(input);
    if (url === null) return { input, origin: null, rest: null };
    url.hash = '';
    url.username = '';
    url.password = '';
    return { input, origin: url.origin, rest: url.href.slice(url.origin.length) };
  });
writeFileSync(process.argv[2], JSON.stringify(data, null, 0));

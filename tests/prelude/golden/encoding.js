// TextEncoder, TextDecoder, atob, btoa.
const log = console.log;
const attempt = (f) => { try { return f(); } catch (e) { return `${e.name}`; } };
const encoder = new TextEncoder();
log(encoder.encoding, encoder.encode('h\u00e9\u20ac\u{1f600}'), encoder.encode(), encoder.encode('\ud800'));
const into = (text, room) => { const out = new Uint8Array(room); return [encoder.encodeInto(text, out), out]; };
log(into('abc', 5), into('\u20ac\u20ac', 5), into('\u{1f600}!', 4), into('\u{1f600}', 3), into('a\u{1f600}', 3), into('', 0));
log(attempt(() => encoder.encodeInto('a', new Uint16Array(1))), attempt(() => TextEncoder.prototype.encode.call({}, 'a')), attempt(() => TextEncoder()));

const bytes = (...values) => new Uint8Array(values);
const decoder = new TextDecoder();
log(decoder.encoding, decoder.fatal, decoder.ignoreBOM);
log(decoder.decode(bytes(0x68, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80)) === 'h\u00e9\u{1f600}', JSON.stringify(decoder.decode()));
log(decoder.decode(bytes(0xff, 0x41)) === '\ufffdA', decoder.decode(bytes(0xef, 0xbb, 0xbf, 0x41)), new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes(0xef, 0xbb, 0xbf, 0x41)).length);
log(attempt(() => new TextDecoder('utf8', { fatal: true }).decode(bytes(0xff))), attempt(() => decoder.decode('text')), attempt(() => decoder.decode(5)));
const chunked = new TextDecoder();
let text = '';
for (const b of encoder.encode('\ufeff\u20ac\u{1f600}x')) text += chunked.decode(bytes(b), { stream: true });
log(text + chunked.decode() === '\u20ac\u{1f600}x');
chunked.decode(bytes(0xf0, 0x9f), { stream: true });
log(chunked.decode() === '\ufffd', chunked.decode(bytes(0x41)));
const strict = new TextDecoder('utf-8', { fatal: true });
strict.decode(bytes(0xe2, 0x82), { stream: true });
log(attempt(() => strict.decode()), strict.decode(bytes(0x41)));
const view = new Uint8Array([0, 0x41, 0x42, 0]).buffer;
log(decoder.decode(new DataView(view, 1, 2)), decoder.decode(new Uint16Array(view)).length, decoder.decode(view).length, decoder.decode(new Uint8Array(view).subarray(1, 3)));
const utf16 = new TextDecoder('utf-16');
log(utf16.encoding, utf16.decode(bytes(0xff, 0xfe, 0x41, 0, 0x3d, 0xd8, 0, 0xde)) === 'A\u{1f600}', utf16.decode(bytes(0x41, 0, 0x42)) === 'A\ufffd', utf16.decode(bytes(0, 0xdc, 0x41, 0)) === '\ufffdA');
log(utf16.decode(bytes(0x3d, 0xd8, 0), { stream: true }) === '', utf16.decode(bytes(0xde)) === '\u{1f600}', attempt(() => new TextDecoder('utf-16le', { fatal: true }).decode(bytes(0, 0xd8))));
const latin = new TextDecoder(' Latin1\n');
log(latin.encoding, latin.decode(bytes(0x41, 0xe9, 0x80, 0x99)) === 'A\u00e9\u20ac\u2122', new TextDecoder('ascii').encoding, latin.decode(new Uint8Array(10000).fill(0x61)).length);
log(attempt(() => new TextDecoder('shift_jis')), attempt(() => new TextDecoder('')), attempt(() => TextDecoder.prototype.decode.call({})));

log(btoa('hello'), atob('aGVsbG8='), atob(' aGVs bG8 '), btoa(''), attempt(() => btoa('\u20ac')), attempt(() => atob('a')), attempt(() => atob('*')));
try { atob('*'); } catch (e) { log(e instanceof DOMException, e.code, e.name); }

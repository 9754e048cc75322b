// Each line that has a code at its end is an error with that code; no other line is one.

import { environment, fetchText, readText, SandboxDeniedError, secret, spawn, writeText } from 'fino:ai/sandbox/capabilities';
import { readBytes } from 'fino:ai/sandbox/capabilities'; // TS2305
import { readFile } from 'node:fs/promises'; // TS2591
import lodash from 'lodash'; // TS2307

readText(1); // TS2345
readText(new URL('file:///x')); // TS2345
readText(); // TS2554
readText('/x', 'utf-8'); // TS2554
writeText('/x'); // TS2554
writeText('/x', new Uint8Array(1)); // TS2345
environment(['A']); // TS2345
const value: string = environment('A'); // TS2322
secret('K').length; // TS2339
fetchText('https://example.com', { method: 1 }); // TS2322
fetchText('https://example.com', { body: { a: 1 } }); // TS2322
fetchText('https://example.com', { timeout: 5 }); // TS2353
fetchText('https://example.com', { headers: new Map() }); // TS2322
(await fetchText('https://example.com')).json(); // TS2339
(await fetchText('https://example.com')).ok; // TS2339
spawn('/bin/ls', '-l'); // TS2345
spawn('/bin/ls', [1]); // TS2322
spawn('/bin/ls', [], { cwd: '/' }); // TS2554
(await spawn('/bin/ls')).exitCode; // TS2339
new SandboxDeniedError('environment', 'm'); // TS2673
class Mine extends SandboxDeniedError {} // TS2675
fetch('https://example.com'); // TS2304
new WebSocket('wss://example.com'); // TS2304
new Worker('x'); // TS2304
process.exit(1); // TS2591
Buffer.from('x'); // TS2591
require('fs'); // TS2591
window.alert(); // TS2304
WebAssembly.compile; // TS2304
new XMLHttpRequest(); // TS2304
localStorage.getItem('x'); // TS2304
setTimeout('text', 1); // TS2345
setImmediate(() => {}); // TS2304
setTimeout(() => {}).unref(); // TS2339
new AbortSignal(); // TS2673
crypto.subtle; // TS2339
crypto.getRandomValues([1]); // TS2345
new Event('abort'); // TS2304
console.clear(); // TS2339
performance.mark('x'); // TS2339
new TextDecoder().decode('text'); // TS2345
Temporal.Now.instant(); // TS2304
import.meta.url; // TS2339
export {};

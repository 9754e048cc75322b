// fetch_examples.mjs COMMAND EXAMPLES: runs the examples that fetch, against a server of our own on the loopback.
//
// Exit code: 0 as expected, 1 not, 77 when this build or host cannot fetch.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';

const kSkip = 77;
const kToken = 'token-of-the-example';
const kPage = `<!doctype html><html><head><title> The Harbour </title><style>p { color: red }</style></head>
<body><p>The harbour keeps ships. Ships leave the harbour; the harbour stays &amp; waits.</p>
<script>const ships = 'ships ships ships ships';</script></body></html>`;

const requests = [];
const server = createServer((request, response) => {
  requests.push({ method: request.method, url: request.url, authorization: request.headers.authorization });
  const answer = (status, type, body) => response.writeHead(status, { 'content-type': type }).end(body);
  if (request.url === '/page') answer(200, 'text/html; charset=utf-8', kPage);
  else if (request.url === '/notes') answer(200, 'text/plain', 'alpha beta beta gamma');
  else if (request.url === '/accounts/7' && request.headers.authorization === `Bearer ${kToken}`) answer(200, 'application/json', '{"name":"Ada","plan":"large","hidden":1}');
  else if (request.url.startsWith('/accounts/')) answer(401, 'application/json', '{}');
  else answer(404, 'text/plain', 'nothing here');
});

const [command, examples] = process.argv.slice(2);

/** Runs one example; `secrets` are the command's environment. */
function run(name, flags, values, secrets = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, ['run', join(examples, name), '--json', ...flags, '--', ...values], {
      stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...secrets },
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
    child.on('error', reject).on('close', () => resolve(JSON.parse(out)));
  });
}

async function checkSummaries(origin) {
  const urls = [`${origin}/page`, `${origin}/notes`, `${origin}/gone`, 'https://not-granted.example/x?private=1'];
  const outcome = await run('fetch-and-summarise.ts', [`--allow-net=${origin}`], urls);
  if (outcome.status === 'unavailable') return outcome;
  assert.deepEqual(outcome.value, [
    // Words of the page's text, its title included: 2 and 12.
    { url: urls[0], title: 'The Harbour', words: 14, frequent: ['harbour', 'ships', 'keeps'] },
    { url: urls[1], words: 4, frequent: ['beta', 'alpha', 'gamma'] },
    { url: urls[2], problem: 'status 404' },
    { url: urls[3], problem: 'https://not-granted.example is not granted' },
  ]);
  return outcome;
}

async function checkSecret(origin) {
  const flags = [`--allow-net=${origin}`, `--allow-env=API=${origin}`, '--secret=API_TOKEN=env:EXAMPLE_TOKEN'];
  requests.length = 0;
  const good = await run('secret-in-header.ts', flags, ['7'], { EXAMPLE_TOKEN: kToken });
  assert.deepEqual(good.value, { name: 'Ada', plan: 'large' });
  assert.deepEqual(requests, [{ method: 'GET', url: '/accounts/7', authorization: `Bearer ${kToken}` }]);
  assert.ok(!JSON.stringify(good).includes(kToken), 'the token is in no part of the outcome');
  const bad = await run('secret-in-header.ts', flags, ['7'], { EXAMPLE_TOKEN: 'wrong' });
  assert.equal(bad.status, 'error');
  assert.equal(bad.error.message, 'the API refused the token');
  const denied = await run('secret-in-header.ts', flags.slice(0, 2), ['7']);
  assert.equal(denied.status, 'denied');
  assert.equal(denied.denial.capability, 'secret');
}

server.listen(0, '127.0.0.1', async () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  try {
    const { status, error } = await checkSummaries(origin);
    if (status === 'unavailable') {
      console.log(`skipped: ${error.message}`);
      process.exitCode = kSkip;
    } else {
      await checkSecret(origin);
    }
  } catch (error) {
    console.log(error);
    process.exitCode = 1;
  } finally {
    server.close();
    server.closeAllConnections?.();
  }
});

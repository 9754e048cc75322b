// A guest in a Node.js process: reads its program, answers with the result. May read this file and nothing else.

import { writeSync } from 'node:fs';

const asked = new Map();
let asks = 0;
let parts = [];

function write(message) {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;  // a pipe that is full
    }
  }
}

const ask = (operation) => (target) => new Promise((done, fail) => {
  const id = ++asks;
  asked.set(id, { done, fail });
  write({ id, operation, target });
});
const host = { environment: ask('environment'), readText: ask('readText') };

async function run({ program, argument, load }) {
  try {
    const module = await import(`data:text/javascript;base64,${Buffer.from(program).toString('base64')}`);
    write({ result: load ? null : await module.default(argument, host) });
  } catch (error) {
    write({ failed: String(error?.stack ?? error) });
  }
}

function take(message) {
  if (message.id === undefined) {
    run(message);
    return;
  }
  const { done, fail } = asked.get(message.id);
  asked.delete(message.id);
  if (message.denied === undefined) done(message.value);
  else fail(new Error(message.denied));
}

process.stdin.on('data', (chunk) => {
  let from = 0;
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
    parts.push(chunk.subarray(from, end));
    const line = Buffer.concat(parts).toString();
    parts = [];
    from = end + 1;
    take(JSON.parse(line));
  }
  if (from < chunk.length) parts.push(chunk.subarray(from));
});
write({ up: true });

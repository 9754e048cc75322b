// A guest in a Deno process: reads its program, answers with the result. No permission is granted to it.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const asked = new Map();
let asks = 0;

function write(message) {
  const bytes = encoder.encode(`${JSON.stringify(message)}\n`);
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

const ask = (operation) => (target) => new Promise((done, fail) => {
  const id = ++asks;
  asked.set(id, { done, fail });
  write({ id, operation, target });
});
const host = { environment: ask('environment'), readText: ask('readText') };

async function run({ program, argument, load }) {
  try {
    const module = await import(`data:application/typescript,${encodeURIComponent(program)}`);
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

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return decoder.decode(all);
}

write({ up: true });
const buffer = new Uint8Array(1 << 18);
let parts = [];
for (let size; (size = await Deno.stdin.read(buffer)) !== null;) {
  const chunk = buffer.slice(0, size);
  let from = 0;
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
    parts.push(chunk.subarray(from, end));
    const line = joined(parts);
    parts = [];
    from = end + 1;
    take(JSON.parse(line));
  }
  if (from < chunk.length) parts.push(chunk.subarray(from));
}

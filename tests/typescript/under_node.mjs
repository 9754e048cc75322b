// under_node.mjs ESBUILD FOLDER...: runs the programs of golden folders under Node.js instead of Cordon, with the types
// stripped and the capabilities replaced by plain functions, and compares with the results that the folders expect.
//
// It is how the expectations in programs/ are checked against another engine. Node.js 24 or later; not a test.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

process.env.TZ = 'UTC';
const [esbuild, ...folders] = process.argv.slice(2);

const kCapabilities = `
import { readFile, writeFile } from 'node:fs/promises';
export class SandboxDeniedError extends Error {
  constructor(capability, target) { super('not granted'); Object.assign(this, { capability, target }); }
}
Object.defineProperty(SandboxDeniedError.prototype, 'name', { value: 'SandboxDeniedError' });
const grants = globalThis.grants;
const get = (map, capability) => async (name) => {
  if (!Object.hasOwn(map, name)) throw new SandboxDeniedError(capability, name);
  return map[name];
};
const inside = (path, capability) => { if (!path.startsWith(grants.folder + '/')) throw new SandboxDeniedError(capability, path); return path; };
export const environment = get(grants.environment, 'environment');
export const secret = get(grants.secrets, 'secret');
export const readText = async (path) => readFile(inside(path, 'filesystem.read'), 'utf8');
export const writeText = async (path, text) => writeFile(inside(path, 'filesystem.write'), text);
`;

function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  const [[tag, inner] = []] = Object.entries(value);
  switch (tag) {
    case '$num': return Number(inner);
    case '$undefined': return undefined;
    case '$bigint': return BigInt(inner);
    case '$date': return new Date(decode(inner));
    case '$bytes': return Uint8Array.from(Buffer.from(inner, 'base64'));
    case '$map': return new Map(inner.map(decode));
    case '$set': return new Set(inner.map(decode));
    default: return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decode(part)]));
  }
}

function encode(value) {
  switch (typeof value) {
    case 'undefined': return { $undefined: true };
    case 'bigint': return { $bigint: String(value) };
    case 'number': return Number.isFinite(value) && !Object.is(value, -0) ? value : { $num: Object.is(value, -0) ? '-0' : String(value) };
    case 'object': break;
    default: return value;
  }
  if (value === null) return null;
  if (Array.isArray(value)) return Array.from(value, encode);
  if (value instanceof Date) return { $date: encode(value.getTime()) };
  if (value instanceof Map) return { $map: [...value].map((pair) => pair.map(encode)) };
  if (value instanceof Set) return { $set: [...value].map(encode) };
  if (ArrayBuffer.isView(value)) return { $bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, encode(part)]));
}

function grantsOf(flags, folder) {
  const grants = { folder, environment: {}, secrets: {} };
  for (const flag of flags) {
    const [, name, value] = /^--(?:allow-env|secret)=(\w+)=(.*)$/.exec(flag) ?? [];
    if (flag.startsWith('--allow-env')) grants.environment[name] = value;
    if (flag.startsWith('--secret')) grants.secrets[name] = readFileSync(join(folder, value.replace(/^file:/, '')), 'utf8');
  }
  return grants;
}

async function run(folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'under-node-'));
  try {
    const text = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').replaceAll('$SCRATCH', scratch) : '');
    if (existsSync(join(folder, 'files'))) cpSync(join(folder, 'files'), scratch, { recursive: true });
    globalThis.grants = grantsOf(text('flags').split('\n'), scratch);
    writeFileSync(join(scratch, 'capabilities.mjs'), kCapabilities);
    const code = execFileSync(esbuild, [join(folder, 'program.ts'), '--format=esm', '--target=node24'], { encoding: 'utf8' });
    writeFileSync(join(scratch, 'program.mjs'), code.replaceAll('fino:ai/sandbox/capabilities', './capabilities.mjs'));
    const { default: main } = await import(pathToFileURL(join(scratch, 'program.mjs')));
    const value = await main(...JSON.parse(text('arguments.json') || '[]').map(decode));
    const [expected, actual] = [JSON.stringify(JSON.parse(text('result.json'))), JSON.stringify(encode(value))];
    return expected === actual ? 'same' : `DIFFERENT\n  expected ${expected}\n  but got  ${actual}`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

console.log = console.warn = () => {};
for (const folder of folders) process.stdout.write(`${folder}: ${await run(folder)}\n`);

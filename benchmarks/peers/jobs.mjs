// What every peer has to do: the jobs of `cordon bench`, with the programs of its own source file where it has one.
//
// A program is a TypeScript module whose default export takes one argument and, where a peer hands capabilities over
// as an object, the capabilities. Each call's source text is distinct, so that no cache can serve it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export const kFileBytes = 1 << 20;
export const kLoopLimitMs = 20;
export const kRoundTrips = 1000;
export const kSandboxes = 50;
export const kVariable = 'A';
export const kVariableText = 'hello';

const kBenchPrograms = new URL('../load/programs.cpp', import.meta.url);
const benchText = readFileSync(kBenchPrograms, 'utf8');

// The raw string that the C++ file gives this name.
function benchProgram(name) {
  const found = new RegExp(`\\b${name} = R"(\\w*)\\(([^]*?)\\)\\1";`).exec(benchText);
  if (!found) throw new Error(`${kBenchPrograms.pathname} has no ${name}`);
  return found[2];
}

function benchNumber(name) {
  const header = readFileSync(new URL('../load/programs.h', import.meta.url), 'utf8');
  const found = new RegExp(`\\b${name} = (\\d+);`).exec(header);
  if (!found) throw new Error(`load/programs.h has no ${name}`);
  return Number(found[1]);
}

// How a program comes by its capabilities: 'import' (Cordon's module) or 'argument' (an object).
function withCapabilities(work, how) {
  const host = 'interface Host { environment(name: string): Promise<string>; readText(path: string): Promise<string> }';
  const end = how === 'import'
    ? `import * as host from 'fino:ai/sandbox/capabilities';\nexport default (x: any) => work(x, host);\n`
    : `export default (x: any, host: Host) => work(x, host);\n`;
  return `\n${host}\n${work}\n${end}`;
}

const kRoundTripWork = `
async function work(trips: number, host: Host): Promise<string> {
  let text: string = '';
  for (let i = 0; i < trips; i++) text = await host.environment('${kVariable}');
  return text;
}`;

const kReadWork = `
async function work(path: string, host: Host): Promise<number> {
  return (await host.readText(path)).length;
}`;

function largeArgument() {
  const rows = [];
  for (let bytes = 0, i = 0; bytes < 1_000_000; i++) {
    const row = { id: i, name: `item ${i}`, note: 'a quote " and an é', values: [i, i / 3, true, null] };
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    rows.push(row);
  }
  return rows;
}

// The jobs that call: { program(how), argument, check(result), limitMs, unit }. `file` is what J7 reads.
// `check` throws; a job whose call must be ended by its limit has none.
export function makeJobs(file) {
  const equal = (expected) => (result) => assert.deepEqual(result, expected);
  const addOne = { program: () => benchProgram('kAddOne'), argument: 41, check: equal(42) };
  const large = largeArgument();
  const computed = JSON.parse(benchProgram('kComputeResult'));
  return {
    J1: addOne,
    J1w: addOne,
    J2: {
      program: (how) => withCapabilities(kRoundTripWork, how),
      argument: kRoundTrips,
      check: equal(kVariableText),
      unit: 'µs',
    },
    J3: { program: () => benchProgram('kCompute'), argument: benchNumber('kComputeScale'), check: equal(computed) },
    J5: { program: () => benchProgram('kEndlessLoop'), argument: 1, limitMs: kLoopLimitMs },
    J6: { program: () => benchProgram('kEcho'), argument: large, check: equal(large) },
    J7: { program: (how) => withCapabilities(kReadWork, how), argument: file, check: equal(kFileBytes) },
  };
}

// What is alive while memory is measured: it has been loaded, and waits.
export const idleProgram = () => benchProgram('kAddOne');

let calls = 0;

// The program with a first line that no other call of this process has.
export function distinct(program) {
  return `const call: string = '${process.pid}-${calls++}';${program}`;
}

// golden.mjs COMMAND FOLDER [--program=FILE]: runs the program of a golden folder with `cordon run` and compares.
//
// FOLDER holds
//   program.ts, or program.mjs whose default export is the source text (for sources that an editor would
//                  spoil, or that are too large to keep), unless --program names another file
//   arguments.json the arguments, a JSON array                                          [none]
//   flags          flags of `cordon run`, one a line                                    [none]
//   files/         copied into the scratch folder that the program is run in            [none]
//   result.json    the value that the run must print, or
//   outcome.json   a part of the outcome that --json must print (see `differences`)
//   console.txt    all that the program must write to the console                       [not compared]
// $SCRATCH in arguments, flags, outcome and console stands for the scratch folder.
//
// Exit code: 0 as expected, 1 not, 77 when this host cannot enforce the sandbox.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const kSkip = 77;
const kExitCodes = {
  ok: 0, error: 1, compile_error: 1, output_limit: 1, unavailable: 3, audit_failed: 3, denied: 4, timeout: 124,
  cpu_limit: 124, terminated: 130, out_of_memory: 137, crashed: 139,
};

// The guest must not see the host's time zone and language.
const kForeign = { TZ: 'Pacific/Chatham', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' };

const [command, folder, ...options] = process.argv.slice(2);
const given = options.find((option) => option.startsWith('--program='))?.slice('--program='.length);
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-golden-')));

function textOf(name) {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('$SCRATCH', scratch) : undefined;
}

// A negative zero in JSON text would be lost here: the contract has it as a tag.
function show(value) {
  if (value === undefined) return 'nothing';
  return JSON.stringify(value, (_, part) => (Object.is(part, -0) ? '-0 as a number' : part), 1).replace(/\n\s*/g, ' ');
}

const isObject = (value) => typeof value === 'object' && value !== null;

// What an expected object with this one member asks for. Each gives whether `actual` is that.
const kAsks = {
  $absent: (_, actual) => actual === undefined,
  $contains: (text, actual) => typeof actual === 'string' && actual.includes(text),
  // These lines in this order, others between them.
  $lines: (lines, actual) => {
    const rest = String(actual).split('\n').map((line) => line.trim());
    return lines.every((line) => rest.includes(line) && rest.splice(0, rest.indexOf(line) + 1));
  },
  $anyOf: (all, actual) => all.some((one) => differences(one, actual, '', false).length === 0),
};

/**
 * Sentences about where `actual` is not what `expected` asks for. Not `whole`: members that `expected` does not
 * name may be there, and the asks above count.
 */
function differences(expected, actual, path, whole) {
  const different = [`${path || 'all'}: expected ${show(expected)}\n  but got ${show(actual)}`];
  const ask = whole || !isObject(expected) ? undefined : kAsks[Object.keys(expected)[0]];
  if (ask !== undefined) return ask(Object.values(expected)[0], actual) ? [] : different;
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return show(expected) === show(actual) ? [] : different;
  }
  const keys = Object.keys(expected);
  const exact = whole || Array.isArray(expected);
  if (exact && keys.join() !== Object.keys(actual).join()) return different;
  // The guest's value is always compared whole.
  return keys.flatMap((key) => differences(expected[key], actual[key], `${path}.${key}`, whole || key === 'value'));
}

function holds(expectedText, text, whole) {
  const found = differences(JSON.parse(expectedText), text === '' ? undefined : JSON.parse(text), '', whole);
  for (const sentence of found) console.log(sentence);
  return found.length === 0;
}

async function programFile() {
  if (given !== undefined) return given;
  if (existsSync(join(folder, 'program.ts'))) return join(folder, 'program.ts');
  const { default: source } = await import(pathToFileURL(join(folder, 'program.mjs')));
  const file = join(scratch, 'program.ts');
  writeFileSync(file, source);
  return file;
}

async function run() {
  if (existsSync(join(folder, 'files'))) cpSync(join(folder, 'files'), scratch, { recursive: true });
  const values = JSON.parse(textOf('arguments.json') ?? '[]').map((value) => JSON.stringify(value));
  const flags = (textOf('flags') ?? '').split('\n').filter((line) => line !== '');
  const outcome = textOf('outcome.json');
  if (outcome !== undefined) flags.push('--json');
  const file = realpathSync(await programFile());
  const finished = spawnSync(command, ['run', file, ...flags, '--', ...values], {
    cwd: scratch, encoding: 'utf8', maxBuffer: 64 << 20, env: { ...process.env, ...kForeign },
  });
  if (finished.error) throw finished.error;
  if (finished.status === 3 && /unavailable/.test(finished.stderr)) {
    console.log(`skipped: ${finished.stderr}`);
    return kSkip;
  }

  let good = true;
  const expect = (what, expected, actual) => {
    if (expected === actual) return;
    console.log(`${what}: expected\n${expected}\n  but got\n${actual}`);
    good = false;
  };
  const status = outcome === undefined ? 'ok' : JSON.parse(finished.stdout || '{}').status;
  expect('exit code', kExitCodes[status], finished.status);
  const [text, whole] = outcome === undefined ? [textOf('result.json'), true] : [outcome, false];
  good = holds(text, finished.stdout, whole) && good;
  const lines = textOf('console.txt');
  if (lines !== undefined) {
    expect('console', lines, outcome === undefined ? finished.stderr : JSON.parse(finished.stdout).console);
  }
  if (!good && finished.stderr !== '') console.log(`--- standard error:\n${finished.stderr}`);
  return good ? 0 : 1;
}

try {
  process.exitCode = await run();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

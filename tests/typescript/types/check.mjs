// check.mjs TSC COMMAND USES WRONG [FLAG...]: the declarations that `cordon types FLAG...` prints, judged by the
// TypeScript compiler.
//
// USES must type-check against them. In WRONG each line that ends with a code, such as `// TS2345`, must be an error
// with that code, and no other line may be one.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [tsc, command, uses, wrong] = process.argv.slice(2, 6).map((path) => resolve(path));
const flags = process.argv.slice(6);
const scratch = mkdtempSync(join(tmpdir(), 'cordon-types-'));

/** What the compiler says of the declarations and `file`: "FILE(LINE,COLUMN): error CODE: ..." lines. */
function check(file) {
  copyFileSync(file, join(scratch, 'program.ts'));
  const options = ['--noEmit', '--strict', '--target', 'es2025', '--module', 'esnext', '--lib', 'es2025', '--types', '', '--pretty', 'false'];
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [tsc, ...options, 'sandbox.d.ts', 'program.ts'], { cwd: scratch, encoding: 'utf8' });
  if (error) throw error;
  const lines = stdout.split('\n').filter((line) => /^\S.*error TS\d+/.test(line));
  if ((status === 0) !== (lines.length === 0)) throw new Error(`the type checker failed: ${stdout}${stderr}`);
  return lines;
}

try {
  writeFileSync(join(scratch, 'sandbox.d.ts'), execFileSync(command, ['types', ...flags], { encoding: 'utf8' }));
  const complaints = check(uses);

  const found = check(wrong).map((line) => /^program\.ts\((\d+),\d+\): error (TS\d+)/.exec(line)?.slice(1).join(' ') ?? line);
  const expected = readFileSync(wrong, 'utf8').split('\n').flatMap((line, i) => {
    const code = /\/\/ (TS\d+)$/.exec(line)?.[1];
    return code === undefined ? [] : [`${i + 1} ${code}`];
  });
  if (expected.length === 0) throw new Error(`${wrong} expects nothing`);
  complaints.push(...expected.filter((one) => !found.includes(one)).map((one) => `missing: ${one}`));
  complaints.push(...found.filter((one) => !expected.includes(one)).map((one) => `not expected: ${one}`));
  for (const complaint of complaints) console.log(complaint);
  process.exitCode = complaints.length === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

// gate.mjs PATHS BASELINE [--update]: counts the instructions of every path of PATHS (gate-paths) under callgrind and
// compares them with BASELINE, or writes them there.
//
// Counts, not times: they do not depend on what else the machine does. What they could depend on is kept the same: the
// environment, the addresses of everything, and the instructions that the C library and OpenSSL choose for a processor.
//
// Exit code: 0 as the baseline has it or better, 1 worse, 77 when there is nothing to compare (no valgrind, another
// compiler).

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { compare, countedInstructions, fails, kTolerancePercent, table } from './counts.mjs';

const kSkip = 77;
const kEnvironment = {
  LC_ALL: 'C',
  PATH: '/usr/bin:/bin',
  GLIBC_TUNABLES: 'glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX512VL,-BMI1,-BMI2,-LZCNT,-MOVBE,-POPCNT,-ERMS,-FSRM,'
    + '-SSSE3,-SSE4_1,-SSE4_2,-RTM:glibc.cpu.x86_data_cache_size=32768:glibc.cpu.x86_shared_cache_size=1048576:'
    + 'glibc.cpu.x86_non_temporal_threshold=1048576',
  OPENSSL_ia32cap: '0:0',
};

const [paths, baselineFile, mode] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'cordon-gate-'));

function end(code, text) {
  process.stdout.write(`gate: ${text}\n`);
  process.exit(code);
}

function run(command, args) {
  const done = spawnSync(command, args, { encoding: 'utf8', env: kEnvironment });
  if (done.error?.code === 'ENOENT') end(kSkip, `skipped: there is no ${command}`);
  if (done.status !== 0) end(1, `${command} ended with ${done.signal ?? done.status}:\n${done.stdout}${done.stderr}`);
  return done.stdout.trim().split('\n');
}

// { "g++": "12.2.0", glibc: "2.36", valgrind: "3.19.0" }
function tools() {
  const named = run(paths, ['--about']).map((line) => line.split(' '));
  const [valgrind] = run('valgrind', ['--version']);
  return { ...Object.fromEntries(named), valgrind: valgrind.replace('valgrind-', '') };
}

function count() {
  const lines = run('valgrind', ['--tool=callgrind', '--quiet', '--collect-atstart=no', '--toggle-collect=gate_counted',
    `--callgrind-out-file=${join(scratch, '%p')}`, paths]);
  const counts = {};
  for (const line of lines) {
    const [, pid, name] = /^(\d+) (.+)$/.exec(line) ?? end(1, `gate-paths said: ${line}`);
    counts[name] = countedInstructions(readFileSync(join(scratch, pid), 'utf8'))
      ?? end(1, `callgrind has counted nothing of ${name}`);
  }
  return counts;
}

function main() {
  const used = tools();
  const baseline = mode === '--update' ? undefined : JSON.parse(readFileSync(baselineFile, 'utf8'));
  if (baseline && baseline.tools['g++'] !== used['g++']) {
    end(kSkip, `skipped: the baseline is of g++ ${baseline.tools['g++']}, this is ${used['g++']}`);
  }
  const counts = count();
  if (!baseline) {
    writeFileSync(baselineFile, `${JSON.stringify({ tools: used, paths: counts }, undefined, 2)}\n`);
    end(0, `${Object.keys(counts).length} paths are the baseline now`);
  }
  const rows = compare(baseline.paths, counts);
  process.stdout.write(table(rows));
  const others = Object.keys(used).filter((name) => used[name] !== baseline.tools[name]);
  for (const name of others) process.stdout.write(`${name} was ${baseline.tools[name]}, is ${used[name]}\n`);
  if (fails(rows)) end(1, `not as the baseline, within ${kTolerancePercent} %. If that is meant: ./dev gate --update`);
  end(0, `as the baseline, within ${kTolerancePercent} %`);
}

process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
main();

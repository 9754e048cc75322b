// shown_runs.mjs COMMAND README: what a README shows is what happens.
//
// In each ```console block a line that begins with "$ " is run by bash in the folder above README's, with `cordon` being
// COMMAND; the lines that follow are all that it may print, standard error included.
//
// Exit code: 0 as shown, 1 not, 77 when this host cannot enforce the sandbox.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const kSkip = 77;
const [command, readme] = process.argv.slice(2);
const blocks = [...readFileSync(readme, 'utf8').matchAll(/^```console\n(.*?)^```$/gms)].map((block) => block[1]);
const runs = blocks.flatMap((block) => block.split(/^\$ /m).slice(1));
if (runs.length === 0) throw new Error(`${readme} shows no run`);

for (const run of runs) {
  const [line, ...shown] = run.split('\n');
  const script = 'exec 2>&1; command=$1; cordon() { "$command" "$@"; }; eval "$2"';
  const { stdout, error } = spawnSync('bash', ['-c', script, 'bash', command, line], {
    cwd: resolve(dirname(readme), '..'), encoding: 'utf8',
  });
  if (error) throw error;
  if (/^cordon: unavailable/m.test(stdout)) {
    console.log(`skipped: ${stdout}`);
    process.exit(kSkip);
  }
  if (stdout === shown.join('\n')) continue;
  console.log(`$ ${line}\nshown:\n${shown.join('\n')}\nprinted:\n${stdout}`);
  process.exitCode = 1;
}

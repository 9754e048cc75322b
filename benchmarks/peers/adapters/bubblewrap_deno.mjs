// bubblewrap around a Deno process for each call: new namespaces of every kind, and a read-only view of /usr.

import { spawnSync } from 'node:child_process';

import { denoBinary, guestFile } from '../tools.mjs';
import { Unavailable } from '../unavailable.mjs';
import { processPerCall } from './child_process.mjs';
import { denoVersion, kDenoFlags } from './deno_process.mjs';

export const title = 'bubblewrap + Deno';
export const boundary = 'process';

const kView = ['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--setenv', 'DENO_DIR', '/tmp/deno',
  '--setenv', 'DENO_NO_UPDATE_CHECK', '1', '--setenv', 'HOME', '/tmp', '--ro-bind', '/usr', '/usr',
  '--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64', '--proc', '/proc', '--dev', '/dev',
  '--tmpfs', '/tmp', '--chdir', '/tmp'];

export async function open({ scratch, grants }) {
  const deno = denoBinary();
  const bubblewrap = spawnSync('bwrap', ['--version'], { encoding: 'utf8' });
  if (bubblewrap.error) throw new Unavailable('bwrap is not installed');
  const trial = spawnSync('bwrap', [...kView, '/usr/bin/true'], { encoding: 'utf8' });
  if (trial.status !== 0) throw new Unavailable(`bubblewrap does not work here: ${trial.stderr.trim()}`);
  return processPerCall({
    version: `${bubblewrap.stdout.trim()}, ${denoVersion(deno)}`,
    argv: ['bwrap', ...kView, '--ro-bind', deno, '/deno', '--ro-bind', guestFile('deno.js'), '/deno.js',
      '/deno', ...kDenoFlags, '/deno.js', scratch],
    environment: { PATH: process.env.PATH },
    grants,
  });
}

// A Deno process for each call, with no permission granted.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { denoBinary, guestFile } from '../tools.mjs';
import { processPerCall } from './child_process.mjs';

export const title = 'Deno process';
export const boundary = 'process';

export const kDenoFlags = ['run', '--no-prompt', '--no-config', '--no-lock', '--no-npm', '--no-remote',
  '--v8-flags=--max-old-space-size=128'];

export const denoVersion = (deno) => spawnSync(deno, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0];

export async function open({ scratch, grants }) {
  const deno = denoBinary();
  return processPerCall({
    version: denoVersion(deno),
    argv: [deno, ...kDenoFlags, guestFile('deno.js'), scratch],
    environment: { DENO_DIR: join(scratch, 'deno'), DENO_NO_UPDATE_CHECK: '1', HOME: scratch },
    grants,
  });
}

// The command line of run.mjs. Exits with 2 when it makes no sense.

import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { toolsFolder } from './tools.mjs';

const kJobs = ['J1', 'J1/s', 'J1w', 'J2', 'J3', 'J4', 'J5', 'J6', 'J7'];
// As the table has them.
const kPeers = ['cordon', 'deno_process', 'bubblewrap_deno', 'node_permission', 'isolated_vm', 'workerd',
  'quickjs_emscripten'];

const kUsage = `usage: ./dev peers [PEER...] [FLAGS]
  PEER              ${kPeers.join(', ')} [all]; cordon is always there
  --jobs=JOB,...    ${kJobs.join(', ')} [all]
  --rounds=COUNT    how often every peer has its turn with every job [5]
  --duration=MS     of one turn [500]
  --output=FILE     where the raw samples go, as JSON lines [build/peers/peers.jsonl]
`;

function fail(text) {
  process.stderr.write(`${text}\n${kUsage}`);
  process.exit(2);
}

function positive(flag, text) {
  if (!/^[1-9]\d{0,6}$/.test(text)) fail(`${flag} takes a positive number`);
  return Number(text);
}

function writable(flag, file) {
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    fail(`${flag} ${file}: ${error.message}`);
  }
  return file;
}

function known(names, all, what) {
  for (const name of names) if (!all.includes(name)) fail(`no ${what} ${name}`);
  return all.filter((name) => names.includes(name));
}

// The binary of Cordon is CORDON_COMMAND.
export function readArguments(argv) {
  const settings = { peers: [], jobs: kJobs, rounds: 5, durationMs: 500, output: `${toolsFolder}peers.jsonl`,
    command: process.env.CORDON_COMMAND ?? fileURLToPath(new URL('../../build/release/bin/cordon', import.meta.url)) };
  const flags = {
    '--jobs': (text) => { settings.jobs = known(text.split(','), kJobs, 'job'); },
    '--rounds': (text) => { settings.rounds = positive('--rounds', text); },
    '--duration': (text) => { settings.durationMs = positive('--duration', text); },
    '--output': (text) => { settings.output = writable('--output', text); },
  };
  const names = [];
  for (const argument of argv) {
    if (argument === '--help' || argument === '-h') {
      process.stdout.write(kUsage);
      process.exit(0);
    }
    const [, flag, text] = /^(--[a-z]+)=(.*)$/.exec(argument) ?? [];
    if (flag === undefined && !argument.startsWith('-')) names.push(argument);
    else (flags[flag] ?? (() => fail(`no flag ${argument}`)))(text);
  }
  settings.peers = names.length === 0 ? kPeers : known(['cordon', ...names], kPeers, 'peer');
  return settings;
}

// Cordon, driven as another program would: one `cordon batch -` that lives on, a line in and a line out for each call.
//
// A batch forks spare children ahead of need, one for each call that may run (16 at most). It starts nothing for J1w
// that it does not for J1: J1w only leaves it the time.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { kRoundTrips, kVariable, kVariableText } from '../jobs.mjs';
import { lastWords, readMessages, writeMessage } from '../lines.mjs';
import { descendants } from '../processes.mjs';
import { kill, spawnGroup } from '../spawned.mjs';
import { Unavailable } from '../unavailable.mjs';

const kCannotEnforce = 3;  // exit code: this host lacks what the sandbox needs
const kCallers = [1, 2, 4, 8];

// An idle sandbox of a batch is one whose call has begun and waits for a timer: a batch hands out no others.
const waiting = (source) => `${source.replace('export default', 'const loaded =')}
export default (): Promise<void> => new Promise((done) => { setTimeout(done, 3_600_000, loaded); });
`;

export const title = 'Cordon';
export const boundary = 'process';

export async function open({ command, scratch, grants, sandboxes }) {
  if (!existsSync(command)) throw new Unavailable(`there is no ${command}`);
  const flags = ['batch', '-', '--quiet', `--jobs=${Math.max(kCallers.at(-1), sandboxes)}`, '--timeout=1h',
    `--allow-env=${kVariable}=${kVariableText}`, `--allow-read=${grants.read[0]}`, `--max-ops=${kRoundTrips}`];
  const child = spawnGroup(command, flags, { cwd: scratch });
  const words = lastWords(child.stderr);
  const asked = new Map();
  let calls = 0;
  let lost;

  const ended = new Promise((done) => {
    child.on('close', (code, signal) => {
      const unavailable = code === kCannotEnforce;
      const error = new (unavailable ? Unavailable : Error)(`cordon batch ended (${signal ?? code}): ${words()}`);
      for (const { fail } of asked.values()) fail(error);
      asked.clear();
      done(error);
    });
  });
  child.stdin.on('error', () => {});  // told by 'close'
  readMessages(child.stdout, (result) => {
    const { done } = asked.get(result.id);
    asked.delete(result.id);
    done(result);
  });

  function call(source, argument, resources) {
    return new Promise((done, fail) => {
      const id = calls++;
      asked.set(id, { done, fail });
      writeMessage(child.stdin, { id, source, args: [argument], options: { resources } });
    });
  }

  await call('export default () => 1', 0, {});  // it is up, or cannot be

  return {
    version: spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout.trim().replace(/^cordon\s+/, ''),
    command: `cordon ${flags.join(' ')}`,
    capabilities: 'import',
    callers: kCallers,
    spareAlwaysWaits: true,

    async run(source, argument, { limitMs } = {}) {
      const result = await call(source, argument, limitMs ? { wallClockMs: limitMs } : {});
      if (result.verdict !== 'passed') throw new Error(`${result.verdict}: ${result.error?.message ?? ''}`);
      return result.value;
    },

    async idle(count, makeSource) {
      const before = descendants(child.pid).length;
      for (let i = 0; i < count; i++) {
        call(waiting(makeSource()), 0, {}).then((result) => { lost = result; }, () => {});
      }
      while (descendants(child.pid).length < before + count) {
        if (child.exitCode !== null) throw await ended;
        if (lost) break;
        await new Promise((done) => setTimeout(done, 20));
      }
    },

    async close() {
      kill(child);
      await ended;
      if (lost) throw new Error(`an idle sandbox ended: ${JSON.stringify(lost)}`);
    },
  };
}

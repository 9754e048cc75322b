// Cordon and what a user might pick instead, on the same jobs in the same run: see README.md.

import { fork } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describeMachine } from './machine.mjs';
import { kFileBytes, kSandboxes, kVariable, kVariableText } from './jobs.mjs';
import { readArguments } from './arguments.mjs';
import { renderReport } from './table.mjs';

const kWorker = fileURLToPath(new URL('worker.mjs', import.meta.url));
const kPatienceMs = 300_000;  // with one turn
// isolated-vm asks for the first of these.
const kNodeFlags = ['--no-node-snapshot', '--expose-gc', '--no-warnings'];

const { peers, jobs, rounds, durationMs, output, command } = readArguments(process.argv.slice(2));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-peers-')));
const rawFile = createWriteStream(output);
const records = [];
let failed = false;

function record(entry) {
  records.push(entry);
  rawFile.write(`${JSON.stringify(entry)}\n`);
}

const say = (text) => process.stderr.write(`peers: ${text}\n`);

class Worker {
  #process;
  #answered = () => {};
  #first;

  constructor(name, sandboxes) {
    this.name = name;
    const own = mkdtempSync(join(scratch, `${name}-`));
    const data = join(own, 'data');
    mkdirSync(data);
    const file = join(data, 'file.txt');
    writeFileSync(file, 'fifteen letters\n'.repeat(kFileBytes / 16));
    const grants = { environment: { [kVariable]: kVariableText }, read: [data] };
    const settings = { command, scratch: own, file, grants, sandboxes };
    this.#process = fork(kWorker, [name, JSON.stringify(settings)], { execArgv: kNodeFlags });
    this.#process.on('message', (answer) => this.#answered(answer));
    this.#process.on('exit', (code, signal) => this.#answered({ error: `its process ended (${signal ?? code})` }));
    this.#first = this.#next();
  }

  // How it has begun.
  began() { return this.#first; }

  async ask(order) {
    if (!this.#process.connected) return { error: 'its process has ended' };
    const answer = this.#next();
    this.#process.send(order);
    const timer = setTimeout(() => this.#process.kill(), kPatienceMs);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  #next() {
    return new Promise((done) => { this.#answered = done; });
  }
}

// A worker that is ready, or none: then the table says why.
async function open(name, sandboxes = 0) {
  const worker = new Worker(name, sandboxes);
  const { opened, unavailable, error } = await worker.began();
  if (opened) {
    worker.opened = opened;
    return worker;
  }
  failed ||= !unavailable;
  const reason = unavailable ?? error;
  say(`${name} is skipped: ${reason}`);
  if (sandboxes === 0) record({ kind: 'skip', peer: name, reason });
  return undefined;
}

async function measure(worker, order, round) {
  const load = loadavg()[0];
  const { samples, error } = await worker.ask(order);
  if (error) {
    failed = true;
    say(`${worker.name} ${order.job}: ${error}`);
  }
  if (round === undefined && !error) return;  // to warm up
  if (error || samples.length > 0) {
    record({ kind: 'slice', peer: worker.name, job: order.job, callers: order.callers, round, load, samples, error });
  }
}

// A peer's turns with a job in one round.
function turns(worker, job) {
  if (job !== 'J1/s') return [{ job, durationMs }];
  return worker.opened.callers.map((callers) => ({ job: 'J1', durationMs, callers }));
}

// In each round every job is done by all peers, one directly after the other, so that what the machine does otherwise
// weighs on all alike. Who begins changes from round to round.
async function measureInRounds(workers, looped) {
  for (const worker of workers) {
    for (const job of looped) if (job !== 'J1/s') await measure(worker, { job, durationMs: 1 });
  }
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds}, load average ${loadavg()[0].toFixed(2)}`);
    const inTurn = workers.map((_, i) => workers[(i + round) % workers.length]);
    for (const job of looped) {
      for (const worker of inTurn) {
        for (const order of turns(worker, job)) await measure(worker, order, round);
      }
    }
  }
}

// In processes that have done nothing else: one peer after another.
async function measureMemory(names) {
  say(`memory of ${kSandboxes} sandboxes`);
  for (const name of names) {
    const worker = await open(name, kSandboxes + 1);
    if (!worker) continue;
    await measure(worker, { job: 'J4' }, 0);
    await close(worker);
  }
}

async function close(worker) {
  const { error } = await worker.ask({ close: true });
  if (!error) return;
  failed = true;
  say(`${worker.name}: ${error}`);
}

async function main() {
  record({ kind: 'run', command: ['./dev', 'peers', ...process.argv.slice(2)].join(' '), at: new Date().toISOString(),
    rounds, durationMs, ...describeMachine() });
  const workers = [];
  for (const name of peers) {
    const worker = await open(name);
    if (!worker) continue;
    workers.push(worker);
    record({ kind: 'peer', peer: name, ...worker.opened });
  }
  await measureInRounds(workers, jobs.filter((job) => job !== 'J4'));
  for (const worker of workers) await close(worker);
  if (jobs.includes('J4')) await measureMemory(workers.map(({ name }) => name));
}

process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
await main();
rawFile.end();
process.stdout.write(renderReport(records));
say(`raw samples: ${output}`);
process.exitCode = failed ? 1 : 0;

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

  ask(order) {
    if (!this.#process.connected) return { error: 'its process has ended' };
    const answer = this.#next();
    this.#process.send(order);
    return answer;
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

// What one round asks of a peer.
function ordersOf(worker) {
  const orders = [];
  for (const job of jobs) {
    if (job === 'J4') continue;
    if (job !== 'J1/s') orders.push({ job, durationMs });
    else for (const callers of worker.opened.callers) orders.push({ job: 'J1', durationMs, callers });
  }
  return orders;
}

// In each round every job is done by all peers, one directly after the other, so that what the machine does otherwise
// weighs on all alike. Who begins changes from round to round.
async function measureInRounds(workers) {
  const plans = workers.map((worker) => ({ worker, orders: ordersOf(worker) }));
  for (const { worker, orders } of plans) {
    for (const order of orders) if (!order.callers) await measure(worker, { ...order, durationMs: 1 });
  }
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds}, load average ${loadavg()[0].toFixed(2)}`);
    const rotated = plans.map((_, i) => plans[(i + round) % plans.length]);
    const most = Math.max(...plans.map(({ orders }) => orders.length));
    for (let i = 0; i < most; i++) {
      for (const { worker, orders } of rotated) if (orders[i]) await measure(worker, orders[i], round);
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
  await measureInRounds(workers);
  for (const worker of workers) await close(worker);
  if (jobs.includes('J4')) await measureMemory(workers.map(({ name }) => name));
}

try {
  await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
  rawFile.end();
}
process.stdout.write(renderReport(records));
say(`raw samples: ${output}`);
process.exitCode = failed ? 1 : 0;

// One slice of one job with one peer. Only the call is timed; every result is checked.

import { setTimeout as pause } from 'node:timers/promises';

import { distinct, idleProgram, kSandboxes } from './jobs.mjs';
import { cpuMs, descendants, marked, pssKib } from './processes.mjs';

// For a peer that can prepare a sandbox, after it says that one is there: as long as `cordon bench` waits.
const kPauseForSpareMs = 5;
const kMostCalls = 10_000;
// For processes to come to rest.
const kLookMs = 100;
const kLooks = 50;

export class Slice {
  #peer;
  #job;
  #source;

  constructor(peer, job) {
    this.#peer = peer;
    this.#job = job;
    const program = job.program(peer.capabilities);
    this.#source = () => distinct(program);
  }

  // Milliseconds of one call.
  async call(argument = this.#job.argument, check = this.#job.check) {
    const source = this.#source();
    const { limitMs } = this.#job;
    const began = performance.now();
    if (limitMs) {
      await mustTimeOut(this.#peer.run(source, argument, { limitMs }));
      return performance.now() - began;
    }
    const result = await this.#peer.run(source, argument);
    const took = performance.now() - began;
    check(result);
    return took;
  }

  // The same where a sandbox waits. Making it is not timed.
  async callPrepared() {
    const prepared = await this.#peer.prepare?.() ?? this.#peer;
    await pause(kPauseForSpareMs);
    const source = this.#source();
    const began = performance.now();
    const result = await prepared.run(source, this.#job.argument);
    const took = performance.now() - began;
    if (prepared !== this.#peer) await prepared.close();
    this.#job.check(result);
    return took;
  }

  // Microseconds of one of a call's round trips, without what a call with none takes.
  async roundTrip() {
    const trips = this.#job.argument;
    const empty = await this.call(0, () => {});
    const full = await this.call();
    return ((full - empty) * 1000) / trips;
  }

  // Samples of one call after another, at least one.
  async inTurn(durationMs, sample) {
    const samples = [];
    const end = performance.now() + durationMs;
    do {
      samples.push(await sample());
    } while (performance.now() < end && samples.length < kMostCalls);
    return samples;
  }

  // Calls per second of so many callers.
  async perSecond(durationMs, callers) {
    const began = performance.now();
    let calls = 0;
    await Promise.all(Array.from({ length: callers }, async () => {
      do {
        await this.call();
        calls += 1;
      } while (performance.now() < began + durationMs);
    }));
    return (calls * 1000) / (performance.now() - began);
  }
}

async function mustTimeOut(run) {
  let result;
  try {
    result = await run;
  } catch (error) {
    if (/timeout|timed out|interrupted/i.test(error.message)) return;
    throw error;
  }
  throw new Error(`an endless loop returned ${JSON.stringify(result)}`);
}

// All processes of the peer that this process runs, without this one.
const processesOf = (scratch) => new Set([...descendants(process.pid), ...marked(scratch)]);

// How many there are once no more come or go.
export async function settledProcesses(scratch) {
  for (let count = -1, look = 0; ; look++) {
    const last = count;
    count = processesOf(scratch).size;
    if (count === last || look === kLooks) return count;
    await pause(kLookMs);
  }
}

// After calls that a limit has ended: no process more than before, and nobody who goes on computing.
export async function requireGone(scratch, before) {
  for (let look = 0; processesOf(scratch).size > before; look++) {
    if (look === kLooks) throw new Error('a process is left of a call that its limit has ended');
    await pause(kLookMs);
  }
  const pids = [process.pid, ...processesOf(scratch)];
  for (let look = 0; look < kLooks; look++) {
    const used = cpuMs(pids);
    await pause(kLookMs);
    if (cpuMs(pids) - used <= kLookMs / 4) return;
  }
  throw new Error('a program that its limit has ended goes on computing');
}

// KiB that each of kSandboxes live sandboxes adds to the memory of this process and all beneath it. The first sandbox
// makes what they share.
export async function idleMemory(peer) {
  const makeSource = () => distinct(idleProgram());
  await peer.idle(1, makeSource);
  const before = await settledKib();
  await peer.idle(kSandboxes, makeSource);
  return (await settledKib() - before) / kSandboxes;
}

// Once it does not change any more by more than one in 200, or after ten seconds.
async function settledKib() {
  let last = 0;
  let steady = 0;
  let kib = 0;
  for (let look = 0; look < kLooks && steady < 3; look++) {
    await pause(2 * kLookMs);
    globalThis.gc?.();
    kib = pssKib([process.pid, ...descendants(process.pid)]);
    steady = Math.abs(kib - last) <= last / 200 ? steady + 1 : 0;
    last = kib;
  }
  return kib;
}

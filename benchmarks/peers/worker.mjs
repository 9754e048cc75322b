// worker.mjs PEER SETTINGS: a process of its own for each peer, as some of them run in the caller's. Obeys run.mjs, which
// lets one peer at a time work.
//
// An order is { job, durationMs, callers }; the answer is { samples } or { error }.

import { fileURLToPath } from 'node:url';

import { idleMemory, requireGone, settledProcesses, Slice } from './measure.mjs';
import { makeJobs } from './jobs.mjs';
import { toolsFolder } from './tools.mjs';
import { Unavailable } from './unavailable.mjs';

const [name, settingsText] = process.argv.slice(2);
const settings = JSON.parse(settingsText);
const jobs = makeJobs(settings.file);

async function measure(peer, { job, durationMs, callers }) {
  if (job === 'J4') return [await idleMemory(peer)];
  const slice = new Slice(peer, jobs[job]);
  if (callers) return [await slice.perSecond(durationMs, callers)];
  if (job === 'J2') return slice.inTurn(durationMs, () => slice.roundTrip());
  if (job === 'J1w') {
    return peer.prepare || peer.spareAlwaysWaits ? slice.inTurn(durationMs, () => slice.callPrepared()) : [];
  }
  if (job !== 'J5') return slice.inTurn(durationMs, () => slice.call());
  const before = await settledProcesses(settings.scratch);
  const samples = await slice.inTurn(durationMs, () => slice.call());
  await requireGone(settings.scratch, before);
  return samples;
}

// Where things lie on this machine is nobody's business.
function withoutPlaces(command) {
  const here = fileURLToPath(new URL('.', import.meta.url));
  return command.replaceAll(settings.scratch, 'SCRATCH').replaceAll(toolsFolder, '').replaceAll(here, '');
}

async function main() {
  let peer;
  try {
    const adapter = await import(new URL(`adapters/${name}.mjs`, import.meta.url));
    peer = await adapter.open(settings);
    const { version, callers } = peer;
    const command = withoutPlaces(peer.command);
    process.send({ opened: { title: adapter.title, boundary: adapter.boundary, version, command, callers } });
  } catch (error) {
    process.send(error instanceof Unavailable ? { unavailable: error.message } : { error: error.stack });
    process.disconnect();
    return;
  }
  process.on('message', async (order) => {
    try {
      if (order.close) {
        await peer.close();
        process.send({ closed: true }, () => process.exit(0));
      } else {
        process.send({ samples: await measure(peer, order) });
      }
    } catch (error) {
      process.send({ error: error.message });
    }
  });
  process.on('disconnect', () => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
}

await main();

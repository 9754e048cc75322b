// Processes that do not outlive this one, however it ends: some of them may be in an endless loop.

import { spawn } from 'node:child_process';

const live = new Set();

process.on('exit', () => live.forEach(killGroup));

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

// Leads a process group of its own, with pipes.
export function spawnGroup(file, args, options) {
  const child = spawn(file, args, { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  if (child.pid === undefined) return child;
  live.add(child);
  child.on('exit', () => live.delete(child));
  return child;
}

export function kill(child) {
  if (live.has(child)) killGroup(child);
}

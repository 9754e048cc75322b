// The machine and what runs it, for whoever compares two reports.

import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

function distribution() {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

export function describeMachine() {
  return {
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      processors: cpus().length,
      memoryMib: Math.round(totalmem() / 2 ** 20),
      system: `${distribution()}, Linux ${release()}`,
      load: loadavg().map((load) => load.toFixed(2)).join(' '),
    },
  };
}

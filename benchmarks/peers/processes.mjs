// What Linux says about processes: who descends from whom, their memory and CPU time. A process that ends while it is
// looked at counts as nothing.

import { readdirSync, readFileSync } from 'node:fs';

const kTickMs = 10;

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function children(pid) {
  let threads = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended.
  }
  const text = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`)).join(' ');
  return text.split(/\s+/).filter(Boolean).map(Number);
}

// Without `pid` itself.
export function descendants(pid) {
  const found = children(pid);
  for (const each of found) found.push(...children(each));
  return found;
}

// Processes anywhere on the machine whose command line holds the text: also those that have lost their parent.
export function marked(text) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.filter((pid) => pid !== process.pid && read(`/proc/${pid}/cmdline`).includes(text));
}

// The share of memory (PSS) of all of them.
export function pssKib(pids) {
  const of = (pid) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
  return pids.reduce((sum, pid) => sum + of(pid), 0);
}

// User and system time, without that of children.
export function cpuMs(pids) {
  const of = (pid) => {
    const stat = read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return stat ? kTickMs * (Number(fields[11]) + Number(fields[12])) : 0;
  };
  return pids.reduce((sum, pid) => sum + of(pid), 0);
}

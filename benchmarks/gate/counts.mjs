// Instruction counts beside those of the baseline: what is worse, better, new or gone.

export const kTolerancePercent = 3;

// Of a file that callgrind has written: the instructions in all. Nothing when it has none.
export function countedInstructions(text) {
  const events = /^events: Ir\b/m.test(text);
  const summary = /^(?:summary|totals): (\d+)/m.exec(text);
  return events && summary ? Number(summary[1]) : undefined;
}

// One row for each path of either. `verdict`: same, worse, better, new (no baseline) or gone (no count).
export function compare(baseline, now, tolerancePercent = kTolerancePercent) {
  const names = [...new Set([...Object.keys(baseline), ...Object.keys(now)])].sort();
  return names.map((name) => {
    const before = baseline[name];
    const after = now[name];
    if (before === undefined) return { name, after, verdict: 'new' };
    if (after === undefined) return { name, before, verdict: 'gone' };
    const ratio = after / before;
    const tolerance = tolerancePercent / 100;
    const verdict = ratio > 1 + tolerance ? 'worse' : ratio < 1 - tolerance ? 'better' : 'same';
    return { name, before, after, ratio, verdict };
  });
}

// What must not pass. Less work is welcome, and only mentioned.
export const fails = (rows) => rows.some(({ verdict }) => ['worse', 'new', 'gone'].includes(verdict));

const kHints = {
  worse: 'MORE than the tolerance',
  better: 'less: ./dev gate --update makes it the baseline',
  new: 'no baseline: ./dev gate --update',
  gone: 'no such path any more: ./dev gate --update',
  same: '',
};

export function table(rows) {
  const cells = [['path', 'baseline', 'now', 'ratio', ''], ...rows.map(({ name, before, after, ratio, verdict }) =>
    [name, before ?? '-', after ?? '-', ratio === undefined ? '-' : ratio.toFixed(4), kHints[verdict]].map(String))];
  const widths = cells[0].map((_, i) => Math.max(...cells.map((row) => row[i].length)));
  const line = (row) => row.map((cell, i) => (i === 0 || i === 4 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])));
  return `${cells.map((row) => line(row).join('  ').trimEnd()).join('\n')}\n`;
}

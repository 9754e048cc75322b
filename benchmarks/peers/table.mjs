// From the records of a run to the report: one row a peer, one column a job, ratios to Cordon. Markdown.

const kColumns = [
  { job: 'J1', unit: 'ms' },
  { job: 'J1/s', unit: 'per second', moreIsBetter: true },
  { job: 'J1w', unit: 'ms' },
  { job: 'J2', unit: 'µs' },
  { job: 'J3', unit: 'ms' },
  { job: 'J4', unit: 'KiB' },
  { job: 'J5', unit: 'ms' },
  { job: 'J6', unit: 'ms' },
  { job: 'J7', unit: 'ms' },
];

const kCordon = 'cordon';

// The smallest sample that half of all samples do not exceed.
export function median(samples) {
  return [...samples].sort((a, b) => a - b)[Math.max(Math.ceil(samples.length / 2), 1) - 1];
}

const slicesOf = (records, peer, job) => records.filter((record) => record.kind === 'slice' && record.peer === peer
  && (record.callers ? 'J1/s' : record.job) === job);

// Of the numbers of callers that were tried the one with the highest median over the rounds.
function bestThroughput(slices) {
  const tried = [...new Set(slices.map(({ callers }) => callers))].map((callers) => ({
    callers,
    value: median(slices.filter((slice) => slice.callers === callers).flatMap(({ samples }) => samples)),
  }));
  return tried.reduce((best, each) => (each.value > best.value ? each : best));
}

// A peer's figure for a job: undefined where it cannot do the job, { error } where it failed once, else { value } and,
// of a throughput, { callers }.
export function figure(records, peer, job) {
  const slices = slicesOf(records, peer, job);
  const wrong = slices.find(({ error }) => error);
  if (wrong) return { error: wrong.error };
  if (slices.length === 0) return undefined;
  if (job === 'J1/s') return bestThroughput(slices);
  return { value: median(slices.flatMap(({ samples }) => samples)) };
}

// How many times as good Cordon is: above 1 it is ahead, whether the figure is a time or a rate. Undefined without both.
export function ratio({ moreIsBetter = false }, cordon, peer) {
  if (!(cordon?.value > 0) || !(peer?.value > 0)) return undefined;
  return moreIsBetter ? cordon.value / peer.value : peer.value / cordon.value;
}

// Three digits, or all of a whole number.
export function shown(number) {
  const digits = number >= 100 ? 0 : number >= 10 ? 1 : 2;
  return number.toFixed(digits);
}

function cell(column, cordon, own) {
  if (own === undefined) return '–';
  if (own.error) return 'failed';
  const notes = [];
  const times = ratio(column, cordon, own);
  if (own !== cordon && times !== undefined) notes.push(`×${shown(times)}`);
  if (own.callers) notes.push(own.callers === 1 ? '1 caller' : `${own.callers} callers`);
  return notes.length > 0 ? `${shown(own.value)} (${notes.join(', ')})` : shown(own.value);
}

const line = (cells) => `| ${cells.join(' | ')} |`;

function figureTable(records, peers) {
  const columns = kColumns.filter(({ job }) => records.some(({ kind, job: its, callers }) =>
    kind === 'slice' && (callers ? 'J1/s' : its) === job));
  const cordonFigures = new Map(columns.map(({ job }) => [job, figure(records, kCordon, job)]));
  const rows = peers.map(({ peer, title, boundary }) => {
    const cells = columns.map((column) => {
      const cordon = cordonFigures.get(column.job);
      return cell(column, cordon, peer === kCordon ? cordon : figure(records, peer, column.job));
    });
    return line([boundary === 'process' ? title : `*${title}*`, ...cells]);
  });
  return [line(['', ...columns.map(({ job, unit }) => (job === 'J1/s' ? 'J1 per second' : `${job}, ${unit}`))]),
    line(['---', ...columns.map(() => '---:')]), ...rows];
}

function problems(records) {
  const skipped = records.filter(({ kind }) => kind === 'skip').map(({ peer, reason }) => `- ${peer}: not run, ${reason}`);
  const wrong = records.filter(({ error }) => error).map(({ peer, job, error }) => `- ${peer}, ${job}: failed, ${error}`);
  return [...skipped, ...new Set(wrong)];
}

export function renderReport(records) {
  const run = records.find(({ kind }) => kind === 'run');
  const peers = records.filter(({ kind }) => kind === 'peer');
  const { processor, processors, memoryMib, system, load } = run.machine;
  const notes = problems(records);
  return `${[
    `\`${run.command}\` at ${run.at}: ${processors} × ${processor}, ${memoryMib} MiB, ${system}; load average before: ${load}.`,
    `${run.rounds} rounds, ${run.durationMs} ms a turn. p50 of all calls; ×N says how many times as good Cordon is.`,
    'In italics: no boundary of the kernel.',
    '',
    ...figureTable(records, peers),
    '',
    '| | version | command |',
    '| --- | --- | --- |',
    ...peers.map(({ title, version, command }) => line([title, version, `\`${command}\``])),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n')}\n`;
}
